import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { MapRecord } from '@/api'
import { PlayerName } from '@/entities/player/PlayerName'
import { formatDifference } from '@/entities/record/raceTime'
import { replayAddress } from '@/entities/record/replayAddress'
import { RecordTime } from '@/entities/record/Time'
import { LEADERBOARD_PAGE_SIZE } from '@/routes/paths'
import { useSession } from '@/store/hooks'
import { Badge, Box, type Column, DataTable, HStack, IconButton, Text } from '@/ui'
import { DateTime } from '@/ui/format'
import { DownloadIcon } from '@/ui/icons'
import type { RowTarget } from './rowTarget'

interface Props {
  /** Undefined while they load. */
  records: MapRecord[] | undefined
  firstRank: number
  /** A record that the address highlights. */
  highlightedId: string | null
  /** The row that the page scrolls to. */
  target: RowTarget | null
}

export function RecordTable({ records, firstRank, highlightedId, target }: Props) {
  const ownId = useSession()?._id
  const rankOf = (record: MapRecord, i: number) => record.rank ?? firstRank + i
  const columns: Column<MapRecord>[] = [
    { header: '#', width: '1.5rem', cell: (record, i) => <Rank rank={rankOf(record, i)} /> },
    {
      header: msg`Player`,
      width: '70%',
      cell: (record) => <Player record={record} own={record.player._id === ownId} />,
    },
    {
      header: msg`Time`,
      width: '5rem',
      cell: (record, i) => <Finish record={record} rank={rankOf(record, i)} above={records?.[i - 1]} />,
    },
    {
      header: msg`Date`,
      width: '5rem',
      hideBelow: 'sm',
      muted: true,
      cell: ({ finishTimeStamp }) => <DateTime iso={finishTimeStamp} />,
    },
    { header: msg`Replay`, width: '0', align: 'end', cell: (record) => <Download record={record} /> },
  ]
  return (
    <DataTable
      label={t`Leaderboard`}
      columns={columns}
      rows={records}
      idOf={({ _id }) => _id}
      skeletonRows={LEADERBOARD_PAGE_SIZE}
      rowHeight="3.75rem"
      isCurrent={({ _id, player }) => player._id === ownId || _id === highlightedId}
      rowRef={({ _id }) => (target?.id === _id ? target.ref : undefined)}
    />
  )
}

function Rank({ rank }: { rank: number }) {
  return (
    <Text as="span" fontFamily="heading" fontWeight="bold" whiteSpace="nowrap" color={rank <= 3 ? 'fg' : 'fg.muted'}>
      {rank}
    </Text>
  )
}

function Player({ record, own }: { record: MapRecord; own: boolean }) {
  return (
    <HStack gap="2">
      <Box minW="0" maxW={{ base: '8.5rem', sm: 'full' }}>
        <PlayerName player={record.player} />
      </Box>
      {own && (
        <Badge colorPalette="brand" variant="solid">
          <Trans>You</Trans>
        </Badge>
      )}
    </HStack>
  )
}

/** The time with its gap to the record above, on phones also with its date. */
function Finish({ record, rank, above }: { record: MapRecord; rank: number; above: MapRecord | undefined }) {
  return (
    <>
      <RecordTime record={record} />
      {record.equalsWorldRecord && rank === 1 && (
        <Box textStyle="xs" color="fg.muted">
          <Trans>Equals the world record</Trans>
        </Box>
      )}
      {above && <Gap ms={record.finishTime - above.finishTime} />}
      <Box hideFrom="sm" textStyle="xs" color="fg.muted">
        <DateTime iso={record.finishTimeStamp} />
      </Box>
    </>
  )
}

// The first row of a page has none: the record above is on the page before.
function Gap({ ms }: { ms: number }) {
  return (
    <Text textStyle="xs" color="fg.muted" fontVariantNumeric="tabular-nums" title={t`Behind the record above`}>
      {formatDifference(ms)}
    </Text>
  )
}

function Download({ record }: { record: MapRecord }) {
  return (
    <IconButton asChild size="sm" variant="ghost" aria-label={t`Download the replay of ${record.player.name}`}>
      <a href={replayAddress(record._id)} download>
        <DownloadIcon />
      </a>
    </IconButton>
  )
}
