import { Badge, Flex, IconButton, Skeleton, Table, Text } from '@chakra-ui/react'
import type { Record as Run } from '@/shared/api'
import { DownloadIcon } from '@/shared/components/icons'
import { PlayerName } from '@/shared/components/PlayerName'
import { RunTime } from '@/shared/components/RunTime'
import { TableFrame } from '@/shared/components/TableFrame'
import { formatDate } from '@/shared/lib/dates'
import { type Medals, medalFor } from '@/shared/lib/medals'

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
    <TableFrame label="Leaderboard" busy={!runs}>
      <Table.Header>
        <Table.Row>
          <Table.ColumnHeader w="12">#</Table.ColumnHeader>
          <Table.ColumnHeader>Player</Table.ColumnHeader>
          <Table.ColumnHeader>Time</Table.ColumnHeader>
          <Table.ColumnHeader hideBelow="sm">Date</Table.ColumnHeader>
          <Table.ColumnHeader textAlign="end">Replay</Table.ColumnHeader>
        </Table.Row>
      </Table.Header>
      <Table.Body>
        {runs
          ? runs.map((run, i) => (
              <RunRow
                key={run._id}
                run={run}
                rank={run.rank ?? firstRank + i}
                medals={medals}
                own={run.player._id === ownId}
              />
            ))
          : Array.from({ length: rowsExpected }, (_, i) => i).map((i) => <SkeletonRow key={i} />)}
      </Table.Body>
    </TableFrame>
  )
}

function RunRow({
  run,
  rank,
  medals,
  own,
}: {
  run: Run
  rank: number
  medals: Medals | undefined
  own: boolean
}) {
  const medal = medals && medalFor(run.finishTime, medals)
  return (
    <Table.Row
      h="14"
      bg={own ? 'brand.subtle' : undefined}
      boxShadow={own ? 'inset 3px 0 0 var(--cz-colors-brand-solid)' : undefined}
      data-own-run={own || undefined}
      tabIndex={own ? -1 : undefined}
      outlineColor="brand.focusRing"
    >
      <Table.Cell fontFamily="heading" fontWeight="bold" color={rank <= 3 ? 'fg' : 'fg.muted'}>
        {rank}
      </Table.Cell>
      <Table.Cell>
        <Flex align="center" gap="2">
          <PlayerName player={run.player} />
          {own && (
            <Badge colorPalette="brand" variant="solid">
              You
            </Badge>
          )}
        </Flex>
      </Table.Cell>
      <Table.Cell>
        <RunTime ms={run.finishTime} medal={medal} />
        <Text hideFrom="sm" textStyle="xs" color="fg.muted" whiteSpace="nowrap">
          {formatDate(run.finishTimeStamp)}
        </Text>
      </Table.Cell>
      <Table.Cell hideBelow="sm" color="fg.muted" whiteSpace="nowrap">
        {formatDate(run.finishTimeStamp)}
      </Table.Cell>
      <Table.Cell textAlign="end">
        <IconButton
          asChild
          size="sm"
          variant="ghost"
          aria-label={`Download the replay of ${run.player.name}`}
        >
          <a href={`/api/v1/download/replays/${encodeURIComponent(run._id)}`} download>
            <DownloadIcon />
          </a>
        </IconButton>
      </Table.Cell>
    </Table.Row>
  )
}

function SkeletonRow() {
  return (
    <Table.Row h="14" aria-hidden="true">
      <Table.Cell>
        <Skeleton h="5" w="6" />
      </Table.Cell>
      <Table.Cell>
        <Skeleton h="5" w="70%" />
      </Table.Cell>
      <Table.Cell>
        <Skeleton h="5" w="5rem" />
      </Table.Cell>
      <Table.Cell hideBelow="sm">
        <Skeleton h="5" w="5rem" />
      </Table.Cell>
      <Table.Cell />
    </Table.Row>
  )
}
