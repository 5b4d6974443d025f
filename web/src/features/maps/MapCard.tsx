import { Link } from 'react-router'
import type { ParkourMap } from '@/shared/api'
import { Avatar } from '@/shared/components/Avatar'
import { Badge } from '@/shared/components/Badge'
import { Skeleton } from '@/shared/components/Skeleton'
import { cx } from '@/shared/lib/cx'
import { formatDate } from '@/shared/lib/dates'
import styles from './MapCard.module.css'
import { MapPicture } from './MapPicture'

interface Props {
  map: ParkourMap
  // For cards that a visitor sees without scrolling: their picture comes at once.
  eager?: boolean
}

// MapCard is a map in a grid; all of it leads to the leaderboard.
export function MapCard({ map, eager }: Props) {
  return (
    <article className={cx(styles.card, styles.live)}>
      <MapPicture src={map.thumbnailUrl ?? map.imageUrl} eager={eager} />
      <div className={styles.text}>
        <h3 className={styles.name}>
          <Link to={`/leaderboard/${map._id}`} className={styles.cover} title={map.name}>
            {map.name}
          </Link>
        </h3>
        <div className={styles.author}>
          <Avatar player={map.author} size={5} />
          <span className={styles.authorName}>{map.author.name}</span>
        </div>
        <div className={styles.facts}>
          <Badge colour="brand">{map.gameMode}</Badge>
          <span>{formatDate(map.createdAt)}</span>
        </div>
      </div>
    </article>
  )
}

// MapCardSkeleton has the size of a card, so that nothing moves when the map comes.
export function MapCardSkeleton() {
  return (
    <div className={styles.card} aria-hidden="true">
      <Skeleton shape="picture" />
      <div className={styles.text}>
        <Skeleton h="1.25rem" w="80%" />
        <Skeleton h="1.25rem" w="60%" />
        <div className={styles.facts}>
          <Skeleton h="1.25rem" w="35%" />
          <Skeleton h="1rem" w="45%" />
        </div>
      </div>
    </div>
  )
}
