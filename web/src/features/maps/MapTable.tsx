import { useNavigate } from 'react-router'
import type { ParkourMap } from '@/shared/api'
import { Avatar } from '@/shared/components/Avatar'
import { Badge } from '@/shared/components/Badge'
import { SkeletonRows } from '@/shared/components/SkeletonRows'
import { TableFrame } from '@/shared/components/TableFrame'
import { TextLink } from '@/shared/components/TextLink'
import { formatDate } from '@/shared/lib/dates'
import styles from './MapTable.module.css'

const COLUMNS = ['Map', 'Author', 'Mode', 'Tags', 'Created']
const TAGS_SHOWN = 2

interface Props {
  // Undefined while they load.
  maps: ParkourMap[] | undefined
  skeletonRows: number
}

// MapTable is the list view of a search. A click anywhere on a row opens the leaderboard; for keyboards and screen
// readers the name is a link.
export function MapTable({ maps, skeletonRows }: Props) {
  return (
    <TableFrame label="Maps" busy={!maps} rowHeight={14} columns={COLUMNS}>
      {maps ? (
        maps.map((map) => <MapRow key={map._id} map={map} />)
      ) : (
        <SkeletonRows rows={skeletonRows} cells={COLUMNS.map(() => ({ w: '75%' }))} />
      )}
    </TableFrame>
  )
}

function MapRow({ map }: { map: ParkourMap }) {
  const navigate = useNavigate()
  const hidden = map.tags.slice(TAGS_SHOWN)
  return (
    <tr className={styles.row} onClick={() => navigate(`/leaderboard/${map._id}`)}>
      <td className={styles.name}>
        <TextLink to={`/leaderboard/${map._id}`} onClick={(event) => event.stopPropagation()}>
          {map.name}
        </TextLink>
      </td>
      <td>
        <div className={styles.author}>
          <Avatar player={map.author} size={6} />
          {map.author.name}
        </div>
      </td>
      <td className={styles.mode}>
        <Badge colour="brand">{map.gameMode}</Badge>
      </td>
      <td>
        <div className={styles.tags}>
          {map.tags.slice(0, TAGS_SHOWN).map((tag) => (
            <Badge key={tag} look="outline">
              {tag}
            </Badge>
          ))}
          {hidden.length > 0 && (
            <span className={styles.more} title={hidden.join(', ')}>
              +{hidden.length}
            </span>
          )}
        </div>
      </td>
      <td className={styles.created}>{formatDate(map.createdAt)}</td>
    </tr>
  )
}
