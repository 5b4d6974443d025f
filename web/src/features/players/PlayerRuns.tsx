import { Button, Flex, Heading, Skeleton, Table } from '@chakra-ui/react'
import { useState } from 'react'
import { useListRecordsQuery } from '@/shared/api'
import { problemMessage } from '@/shared/api/problem'
import { EmptyState } from '@/shared/components/EmptyState'
import { ProblemAlert } from '@/shared/components/ProblemAlert'
import { RunTime } from '@/shared/components/RunTime'
import { TableFrame } from '@/shared/components/TableFrame'
import { TextLink } from '@/shared/components/TextLink'
import { formatDate } from '@/shared/lib/dates'

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
      {error ? (
        <ProblemAlert text={problemMessage(error, 'Failed to load the runs')} onRetry={refetch} />
      ) : runs?.length === 0 ? (
        <EmptyState title="No runs yet." hint="Accepted runs are listed here." />
      ) : (
        <TableFrame label="Runs" busy={!runs}>
          <Table.Header>
            <Table.Row>
              <Table.ColumnHeader>Map</Table.ColumnHeader>
              <Table.ColumnHeader>Time</Table.ColumnHeader>
              <Table.ColumnHeader>Date</Table.ColumnHeader>
            </Table.Row>
          </Table.Header>
          <Table.Body>
            {runs
              ? runs.map((run) => (
                  <Table.Row key={run._id} h="12">
                    <Table.Cell>
                      <TextLink to={`/leaderboard/${run.map._id}`}>{run.map.name}</TextLink>
                    </Table.Cell>
                    <Table.Cell>
                      <RunTime ms={run.finishTime} medal={run.medal} />
                    </Table.Cell>
                    <Table.Cell color="fg.muted" whiteSpace="nowrap">
                      {formatDate(run.finishTimeStamp)}
                    </Table.Cell>
                  </Table.Row>
                ))
              : Array.from({ length: 3 }, (_, i) => i).map((i) => (
                  <Table.Row key={i} h="12" aria-hidden="true">
                    <Table.Cell colSpan={3}>
                      <Skeleton h="5" />
                    </Table.Cell>
                  </Table.Row>
                ))}
          </Table.Body>
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
