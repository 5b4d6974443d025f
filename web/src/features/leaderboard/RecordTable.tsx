import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from 'react-router'
import type { ListedRecord, PlayerRef } from '@/api'
import { PlayerName } from '@/entities/player/PlayerName'
import { formatPoints } from '@/entities/points/format'
import { formatDifference, formatTime } from '@/entities/record/raceTime'
import { replayAddress } from '@/entities/record/replayAddress'
import { RecordTime } from '@/entities/record/Time'
import { LEADERBOARD_PAGE_SIZE, paths } from '@/routes/paths'
import { useSession } from '@/store/hooks'
import { Badge, Box, type Column, DataTable, type Elements, Flex, IconButton, styled, Text, VisuallyHidden } from '@/ui'
import { DateTime, formatNumber } from '@/ui/format'
import { CompareIcon, DownloadIcon } from '@/ui/icons'
import type { RowTarget } from '@/ui/rowTarget'

interface Props {
  /** Undefined while they load. */
  records: ListedRecord[] | undefined
  isNew: (record: ListedRecord) => boolean
  /** The visitor's own record where it is on another page. */
  pinned: ListedRecord | undefined
  firstRank: number
  /** A record that the address highlights. */
  highlightedId: string | null
  /** The row that the page scrolls to. */
  target: RowTarget | null
}

export function RecordTable({ records, isNew, pinned, firstRank, highlightedId, target }: Props) {
  const ownId = useSession()?._id
  const rankOf = (record: ListedRecord, i: number) => record.rank ?? firstRank + i
  const withPoints = records?.some(({ points }) => points !== undefined)
  // Where the gap above has no column it is below the time.
  const gapWidth = withPoints ? 'xl' : 'md'
  const gapAbove = (record: ListedRecord, i: number) =>
    rankOf(record, i) > 1 &&
    record.gap && <Gap ms={record.gap.toAbove} sentence={(time) => t`${time} behind the row above`} />
  const gapToFirst = (record: ListedRecord, i: number) =>
    rankOf(record, i) > 1 &&
    record.gap && <Gap ms={record.gap.toFirst} sentence={(time) => t`${time} behind the first`} />
  const pointsColumn: Column<ListedRecord> = {
    header: msg`Points`,
    width: '3rem',
    align: 'end',
    hideBelow: 'md',
    cell: ({ points }) => points !== undefined && formatPoints(points),
  }
  const columns: Column<ListedRecord>[] = [
    { header: '#', width: '1.5rem', cell: (record, i) => <Rank rank={rankOf(record, i)} /> },
    {
      header: msg`Player`,
      width: '70%',
      cell: (record) => <Player record={record} ownId={ownId} />,
    },
    {
      header: msg`Time`,
      width: '5rem',
      cell: (record, i) => (
        <Finish record={record} rank={rankOf(record, i)}>
          <styled.span hideFrom={gapWidth}>{gapAbove(record, i)}</styled.span>
        </Finish>
      ),
    },
    ...(withPoints ? [pointsColumn] : []),
    {
      header: msg`Gap above`,
      width: '4rem',
      hideBelow: gapWidth,
      muted: true,
      cell: gapAbove,
    },
    {
      header: msg`Gap to first`,
      width: '4rem',
      hideBelow: 'xl',
      muted: true,
      cell: gapToFirst,
    },
    {
      header: msg`Date`,
      width: '5rem',
      hideBelow: 'xl',
      muted: true,
      cell: ({ finishTimeStamp }) => <DateTime iso={finishTimeStamp} />,
    },
    {
      header: msg`Replay`,
      width: '0',
      align: 'end',
      cell: (record) => (
        <Box whiteSpace="nowrap">
          {ownId && record.player._id !== ownId && <CompareWithMe own={ownId} player={record.player} />}
          <Download record={record} />
        </Box>
      ),
    },
  ]
  return (
    <DataTable
      label={t`Leaderboard`}
      columns={columns}
      rows={records}
      pinned={pinned}
      idOf={({ _id }) => _id}
      skeletonRows={LEADERBOARD_PAGE_SIZE}
      rowHeight="3.75rem"
      isCurrent={({ _id, player }) => player._id === ownId || _id === highlightedId}
      isNew={isNew}
      rowRef={({ _id }) => (target?.id === _id ? target.ref : undefined)}
    />
  )
}

function Rank({ rank }: { rank: number }) {
  return (
    <Text as="span" fontFamily="heading" fontWeight="bold" whiteSpace="nowrap" color={rank <= 3 ? 'fg' : 'fg.muted'}>
      {formatNumber(rank)}
    </Text>
  )
}

/** The player, with the points where they have no column. */
function Player({ record, ownId }: { record: ListedRecord; ownId: string | undefined }) {
  const own = record.player._id === ownId
  // The buttons of a player who is logged in need more room on a phone.
  const room = ownId ? '7.5rem' : '8.5rem'
  return (
    <Flex direction={{ base: 'column', sm: 'row' }} align={{ sm: 'center' }} columnGap="2" rowGap="1">
      <Box minW="0" maxW={{ base: room, sm: 'full' }}>
        <PlayerName player={record.player} />
        {record.points !== undefined && (
          <Box hideFrom="md" textStyle="xs" color="fg.muted">
            <Trans>{formatPoints(record.points)} points</Trans>
          </Box>
        )}
      </Box>
      {own && (
        <Badge colorPalette="brand" variant="solid" alignSelf={{ base: 'flex-start', sm: 'auto' }}>
          <Trans>You</Trans>
        </Badge>
      )}
    </Flex>
  )
}

/** The time, with its date and the gap above where these have no columns. */
function Finish({ record, rank, children }: { record: ListedRecord; rank: number; children: Elements }) {
  return (
    <>
      <RecordTime record={record} />
      {record.equalsWorldRecord && rank === 1 && (
        <Box textStyle="xs" color="fg.muted">
          <Trans>Equals the world record</Trans>
        </Box>
      )}
      <Box hideFrom="xl" textStyle="xs" color="fg.muted">
        {children}
        <DateTime iso={record.finishTimeStamp} />
      </Box>
    </>
  )
}

const Difference = styled('span', { base: { fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' } })

/** A difference, for screen readers as a sentence. */
function Gap({ ms, sentence }: { ms: number; sentence: (time: string) => string }) {
  return (
    <>
      <Difference aria-hidden="true" me="2">
        {formatDifference(ms)}
      </Difference>
      <VisuallyHidden>{sentence(formatTime(ms))}</VisuallyHidden>
    </>
  )
}

function CompareWithMe({ own, player }: { own: string; player: PlayerRef }) {
  const label = t`Compare ${player.name} with me`
  return (
    <IconButton asChild size="sm" variant="ghost" aria-label={label} title={label}>
      <Link to={paths.compare(own, player._id)}>
        <CompareIcon />
      </Link>
    </IconButton>
  )
}

function Download({ record }: { record: ListedRecord }) {
  return (
    <IconButton asChild size="sm" variant="ghost" aria-label={t`Download the replay of ${record.player.name}`}>
      <a href={replayAddress(record._id)} download>
        <DownloadIcon />
      </a>
    </IconButton>
  )
}
