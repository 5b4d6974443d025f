import type { MapRecord } from '@/api'
import { PlayerName } from '@/entities/player/PlayerName'
import { replayAddress } from '@/entities/record/replayAddress'
import { TimeWithMedal } from '@/entities/record/Time'
import { LEADERBOARD_PAGE_SIZE, paths } from '@/routes/paths'
import { useSession } from '@/store/hooks'
import { Badge, Box, HStack, IconButton, Table } from '@/ui'
import { DateTime } from '@/ui/format'
import { DownloadIcon } from '@/ui/icons'
import { PageLink } from '@/ui/links'
import { ListTable } from '@/ui/lists'

interface Props {
  /** Undefined while they load. */
  records: MapRecord[] | undefined
  firstRank: number
  /** A record that the address highlights. */
  highlightedId: string | null
}

export function RecordTable({ records, firstRank, highlightedId }: Props) {
  return (
    <ListTable
      label="Leaderboard"
      head={[
        <Table.ColumnHeader key="rank" w="12">
          #
        </Table.ColumnHeader>,
        'Player',
        'Time',
        <Table.ColumnHeader key="date" hideBelow="sm">
          Date
        </Table.ColumnHeader>,
        <Table.ColumnHeader key="replay" textAlign="end" whiteSpace="nowrap">
          Replay
        </Table.ColumnHeader>,
      ]}
      skeleton={{ rows: LEADERBOARD_PAGE_SIZE, height: '3.75rem', widths: ['1.5rem', '70%', '5rem', '5rem', '0'] }}
    >
      {records?.map((record, i) => (
        <RecordRow
          key={record._id}
          record={record}
          rank={record.rank ?? firstRank + i}
          highlighted={record._id === highlightedId}
        />
      ))}
    </ListTable>
  )
}

function RecordRow({ record, rank, highlighted }: { record: MapRecord; rank: number; highlighted: boolean }) {
  const own = useSession()?._id === record.player._id
  return (
    <Table.Row
      id={`record-${record._id}`}
      // The leaderboard moves the focus to a row that it scrolls to.
      tabIndex={-1}
      aria-current={own || highlighted || undefined}
      h="3.75rem"
      outlineColor="brand.focusRing"
      _current={{ bg: 'brand.subtle', boxShadow: 'inset 3px 0 0 {colors.brand.solid}' }}
    >
      <Table.Cell fontFamily="heading" fontWeight="bold" whiteSpace="nowrap" color={rank <= 3 ? 'fg' : 'fg.muted'}>
        {rank}
      </Table.Cell>
      <Table.Cell>
        <HStack gap="2">
          <Box minW="0" maxW={{ base: '8.5rem', sm: 'full' }}>
            <PlayerName player={record.player} />
          </Box>
          {own && (
            <Badge colorPalette="brand" variant="solid">
              You
            </Badge>
          )}
        </HStack>
      </Table.Cell>
      <Table.Cell>
        <PageLink to={paths.record(record._id)} color="inherit">
          <TimeWithMedal ms={record.finishTime} medal={record.medal} />
        </PageLink>
        {record.equalsWorldRecord && rank === 1 && (
          <Box textStyle="xs" color="fg.muted">
            Equals the world record
          </Box>
        )}
        <Box hideFrom="sm" textStyle="xs" color="fg.muted">
          <DateTime iso={record.finishTimeStamp} />
        </Box>
      </Table.Cell>
      <Table.Cell hideBelow="sm" color="fg.muted">
        <DateTime iso={record.finishTimeStamp} />
      </Table.Cell>
      <Table.Cell textAlign="end">
        <IconButton asChild size="sm" variant="ghost" aria-label={`Download the replay of ${record.player.name}`}>
          <a href={replayAddress(record._id)} download>
            <DownloadIcon />
          </a>
        </IconButton>
      </Table.Cell>
    </Table.Row>
  )
}
