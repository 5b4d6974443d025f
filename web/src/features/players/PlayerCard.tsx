import type { Player } from '@/shared/api'
import { Avatar } from '@/shared/components/Avatar'
import { Skeleton } from '@/shared/components/Skeleton'
import { TextLink } from '@/shared/components/TextLink'
import { formatDate } from '@/shared/lib/dates'
import styles from './PlayerCard.module.css'
import { RoleBadges } from './RoleBadges'

export function PlayerCard({ player }: { player: Player }) {
  return (
    <article className={styles.card}>
      <Avatar player={player} size={14} />
      <div className={styles.text}>
        <h2 className={styles.name} title={player.name}>
          {player.name}
        </h2>
        <p className={styles.level}>Level {player.level || 'N/A'}</p>
        <RoleBadges roles={player.roles} on="card" />
        <p className={styles.updated}>Last Updated: {formatDate(player.updatedAt)}</p>
        <TextLink
          to={`/player/${player._id}`}
          className={styles.view}
          aria-label={`View Profile of ${player.name}`}
        >
          View Profile
        </TextLink>
      </div>
    </article>
  )
}

export function PlayerCardSkeleton() {
  return (
    <div className={styles.card} aria-hidden="true">
      <Skeleton h="3.5rem" w="3.5rem" shape="circle" />
      <div className={styles.text}>
        <Skeleton h="1.5rem" w="60%" />
        <Skeleton h="1rem" w="35%" />
        <Skeleton h="1rem" w="70%" />
      </div>
    </div>
  )
}
