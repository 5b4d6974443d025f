import { Button, Flex, Heading } from '@chakra-ui/react'
import { useState } from 'react'
import { useListRecordsQuery } from '@/shared/api'
import { problemMessage } from '@/shared/api/problem'
import { EmptyState } from '@/shared/components/EmptyState'
import { ProblemAlert } from '@/shared/components/ProblemAlert'
import { RunTime } from '@/shared/components/RunTime'
import { SkeletonRows } from '@/shared/components/SkeletonRows'
import { TableFrame } from '@/shared/components/TableFrame'
import { TextLink } from '@/shared/components/TextLink'
import { formatDate } from '@/shared/lib/dates'
import styles from './PlayerRuns.module.css'

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
      <Heading as="h2" textStyle="2xl" mb="4">
        Runs
      </Heading>
      {error && !runs ? (
        <ProblemAlert text={problemMessage(error, 'Failed to load the runs')} onRetry={refetch} />
      ) : runs?.length === 0 ? (
        <EmptyState title="No runs yet." hint="Accepted runs are listed here." />
      ) : (
        <TableFrame
          label="Runs"
          busy={!runs}
          rowHeight={12}
          columns={['Map', 'Time', 'Date'].map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        >
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
      {pages > 1 && (
        <Flex mt="3" gap="2" align="center" justify="flex-end" textStyle="sm" color="fg.muted">
          <Button size="sm" variant="outline" disabled={page === 1} onClick={() => setPage(page - 1)}>
            Newer
          </Button>
          Page {page} of {pages}
          <Button size="sm" variant="outline" disabled={page >= pages} onClick={() => setPage(page + 1)}>
            Older
          </Button>
        </Flex>
      )}
    </section>
  )
}
