import { useState } from 'react'
import { useListRecordsQuery } from '@/shared/api'
import { problemMessage } from '@/shared/api/problem'
import { EmptyState } from '@/shared/components/EmptyState'
import { PageSteps } from '@/shared/components/PageSteps'
import { ProblemAlert } from '@/shared/components/ProblemAlert'
import { RunTime } from '@/shared/components/RunTime'
import { SkeletonRows } from '@/shared/components/SkeletonRows'
import { TableFrame } from '@/shared/components/TableFrame'
import { TextLink } from '@/shared/components/TextLink'
import { cx } from '@/shared/lib/cx'
import { formatDate } from '@/shared/lib/dates'
import text from '@/shared/theme/text.module.css'
import styles from './PlayerRuns.module.css'
import profile from './Profile.module.css'

const PAGE_SIZE = 10

// PlayerRuns lists what a player has handed in, newest first.
export function PlayerRuns({ playerId }: { playerId: string }) {
  const [page, setPage] = useState(1)
  const { currentData, data, error, refetch } = useListRecordsQuery({
    player: playerId,
    limit: PAGE_SIZE,
    offset: (page - 1) * PAGE_SIZE,
    sortBy: 'updatedAt',
    sortDir: 'desc',
  })
  const runs = currentData?.data
  const pages = Math.ceil((data?.pagination.total ?? 0) / PAGE_SIZE)
  return (
    <section>
      <h2 className={cx(text.heading, profile.heading)}>Runs</h2>
      {error && !runs ? (
        <ProblemAlert text={problemMessage(error, 'Failed to load the runs')} onRetry={refetch} />
      ) : runs?.length === 0 ? (
        <EmptyState title="No runs yet." hint="Accepted runs are listed here." />
      ) : (
        <TableFrame label="Runs" busy={!runs} rowHeight={12} columns={['Map', 'Time', 'Date']}>
          {runs ? (
            runs.map((run) => (
              <tr key={run._id}>
                <td>
                  <TextLink to={`/leaderboard/${run.map._id}`}>{run.map.name}</TextLink>
                </td>
                <td>
                  <RunTime ms={run.finishTime} medal={run.medal} />
                </td>
                <td className={styles.date}>{formatDate(run.finishTimeStamp)}</td>
              </tr>
            ))
          ) : (
            <SkeletonRows rows={3} cells={[{ w: '70%' }, { w: '5rem' }, { w: '5rem' }]} />
          )}
        </TableFrame>
      )}
      {pages > 1 && <PageSteps page={page} pages={pages} label="Pages of runs" onPage={setPage} />}
    </section>
  )
}
