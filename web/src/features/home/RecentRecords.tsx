import { type MapRecord as Run, useListRecordsQuery } from '@/shared/api'
import { EmptyState } from '@/shared/components/EmptyState'
import { PlayerName } from '@/shared/components/PlayerName'
import { RunTime } from '@/shared/components/RunTime'
import { SkeletonRows } from '@/shared/components/SkeletonRows'
import { TableFrame } from '@/shared/components/TableFrame'
import { TextLink } from '@/shared/components/TextLink'
import { formatDate } from '@/shared/lib/dates'
import styles from './RecentRecords.module.css'
import { SectionHeading } from './SectionHeading'
import { useLoggedProblem } from './useLoggedProblem'

const SHOWN = 5

export function RecentRecords() {
  const { data, error } = useListRecordsQuery({ limit: SHOWN, sortBy: 'updatedAt', sortDir: 'desc' })
  useLoggedProblem('Failed to load recent records', error)
  const runs = data?.data
  return (
    <section>
      <SectionHeading>Recent Records</SectionHeading>
      {runs?.length === 0 || (error && !runs) ? (
        <EmptyState title="No recent records found." hint="Hand in a replay, and your run stands here." />
      ) : (
        <TableFrame label="Recent records" busy={!runs} rowHeight={16} columns={['Player', 'Map', 'Time']}>
          {runs ? (
            runs.map((run) => <RunRow key={run._id} run={run} />)
          ) : (
            <SkeletonRows rows={SHOWN} cells={[{ w: '70%' }, { w: '70%' }, { w: '5rem' }]} />
          )}
        </TableFrame>
      )}
    </section>
  )
}

function RunRow({ run }: { run: Run }) {
  return (
    <tr>
      <td>
        <PlayerName player={run.player} />
      </td>
      <td>
        <TextLink to={`/leaderboard/${run.map._id}`}>{run.map.name}</TextLink>
      </td>
      <td>
        <RunTime ms={run.finishTime} medal={run.medal} />
        <span className={styles.date}>{formatDate(run.finishTimeStamp)}</span>
      </td>
    </tr>
  )
}
