import type { MapRecord as Run } from '@/shared/api'
import { Badge } from '@/shared/components/Badge'
import { DownloadIcon } from '@/shared/components/icons'
import { PlayerName } from '@/shared/components/PlayerName'
import { RunTime } from '@/shared/components/RunTime'
import { SkeletonRows } from '@/shared/components/SkeletonRows'
import { TableFrame } from '@/shared/components/TableFrame'
import { cx } from '@/shared/lib/cx'
import { formatDate } from '@/shared/lib/dates'
import { type Medals, medalFor } from '@/shared/lib/medals'
import styles from './RunTable.module.css'

interface Props {
  // Undefined while they load.
  runs: Run[] | undefined
  medals: Medals | undefined
  ownId: string | null
  rowsExpected: number
  firstRank: number
}

export function RunTable({ runs, medals, ownId, rowsExpected, firstRank }: Props) {
  return (
    <TableFrame label="Leaderboard" busy={!runs} rowHeight={14} columns={COLUMNS}>
      {runs ? (
        runs.map((run, i) => (
          <RunRow
            key={run._id}
            run={run}
            rank={run.rank ?? firstRank + i}
            medals={medals}
            own={run.player._id === ownId}
          />
        ))
      ) : (
        <SkeletonRows rows={rowsExpected} cells={SKELETON} />
      )}
    </TableFrame>
  )
}

const COLUMNS = [
  { title: '#', className: styles.rank },
  'Player',
  'Time',
  { title: 'Date', className: styles.date },
  { title: 'Replay', className: styles.replay },
]

const SKELETON = [{ w: '1.5rem' }, { w: '70%' }, { w: '5rem' }, { w: '5rem', className: styles.date }, {}]

interface RowProps {
  run: Run
  rank: number
  medals: Medals | undefined
  own: boolean
}

function RunRow({ run, rank, medals, own }: RowProps) {
  const medal = medals && medalFor(run.finishTime, medals)
  const date = formatDate(run.finishTimeStamp)
  return (
    <tr
      className={cx(own && styles.own)}
      data-own-run={own || undefined}
      // The button that jumps to it hands it the focus.
      tabIndex={own ? -1 : undefined}
    >
      <td className={cx(styles.rank, rank <= 3 && styles.podium)}>{rank}</td>
      <td>
        <div className={styles.player}>
          <PlayerName player={run.player} />
          {own && (
            <Badge colour="brand" look="solid">
              You
            </Badge>
          )}
        </div>
      </td>
      <td>
        <RunTime ms={run.finishTime} medal={medal} />
        <span className={styles.dateBelow}>{date}</span>
      </td>
      <td className={styles.date}>{date}</td>
      <td className={styles.replay}>
        <a
          href={`/api/v1/download/replays/${encodeURIComponent(run._id)}`}
          download
          className={styles.download}
          aria-label={`Download the replay of ${run.player.name}`}
        >
          <DownloadIcon />
        </a>
      </td>
    </tr>
  )
}
