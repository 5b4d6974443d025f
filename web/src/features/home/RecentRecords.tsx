import { Skeleton, Table, Text } from '@chakra-ui/react'
import { type Record as Run, useListRecordsQuery } from '@/shared/api'
import { EmptyState } from '@/shared/components/EmptyState'
import { PlayerName } from '@/shared/components/PlayerName'
import { RunTime } from '@/shared/components/RunTime'
import { TableFrame } from '@/shared/components/TableFrame'
import { TextLink } from '@/shared/components/TextLink'
import { formatDate } from '@/shared/lib/dates'
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
      {runs?.length === 0 || error ? (
        <EmptyState title="No recent records found." hint="Hand in a replay, and your run stands here." />
      ) : (
        <TableFrame label="Recent records">
          <Table.Header>
            <Table.Row>
              <Table.ColumnHeader>Player</Table.ColumnHeader>
              <Table.ColumnHeader>Map</Table.ColumnHeader>
              <Table.ColumnHeader>Time</Table.ColumnHeader>
            </Table.Row>
          </Table.Header>
          <Table.Body>
            {runs
              ? runs.map((run) => <RunRow key={run._id} run={run} />)
              : Array.from({ length: SHOWN }, (_, i) => i).map((i) => <SkeletonRow key={i} />)}
          </Table.Body>
        </TableFrame>
      )}
    </section>
  )
}

function RunRow({ run }: { run: Run }) {
  return (
    <Table.Row h="16">
      <Table.Cell>
        <PlayerName player={run.player} />
      </Table.Cell>
      <Table.Cell>
        <TextLink to={`/leaderboard/${run.map._id}`}>{run.map.name}</TextLink>
      </Table.Cell>
      <Table.Cell>
        <RunTime ms={run.finishTime} medal={run.medal} />
        <Text textStyle="xs" color="fg.muted" whiteSpace="nowrap">
          {formatDate(run.finishTimeStamp)}
        </Text>
      </Table.Cell>
    </Table.Row>
  )
}

function SkeletonRow() {
  return (
    <Table.Row h="16" aria-hidden="true">
      {[0, 1, 2].map((i) => (
        <Table.Cell key={i}>
          <Skeleton h="5" w="70%" />
        </Table.Cell>
      ))}
    </Table.Row>
  )
}
