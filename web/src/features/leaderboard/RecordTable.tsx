import { msg, t } from '@lingui/core/macro'
import { Link } from 'react-router'
import type { ListedRecord, PlayerRef } from '@/api'
import { PlayerName } from '@/entities/player/PlayerName'
import { formatPoints } from '@/entities/points/format'
import { ordinal } from '@/entities/points/texts'
import { formatTime } from '@/entities/record/raceTime'
import { replayAddress } from '@/entities/record/replayAddress'
import { RecordTime, Time } from '@/entities/record/Time'
import { LEADERBOARD_PAGE_SIZE, paths } from '@/routes/paths'
import { useSession } from '@/store/hooks'
import {
  Badge,
  Box,
  type Column,
  DataTable,
  type Elements,
  Figure,
  Flex,
  IconButton,
  styled,
  VisuallyHidden,
} from '@/ui'
import { DateTime } from '@/ui/format'
import { CompareIcon, DownloadIcon } from '@/ui/icons'
import { Rank } from '@/ui/more/Rank'
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
  const gapAbove = (record: ListedRecord, i: number) => {
    const rank = rankOf(record, i)
    if (rank === 1 || !record.gap) return null
    if (record.gap.toAbove > 0)
      return <Gap ms={record.gap.toAbove} sentence={(time) => t`${time} behind the row above`} />
    return <Tie name={records?.[i - 1]?.player.name ?? ordinal(rank - 1)} />
  }
  const gapToFirst = (record: ListedRecord, i: number) =>
    rankOf(record, i) > 1 &&
    record.gap && <Gap ms={record.gap.toFirst} sentence={(time) => t`${time} behind the first`} />
  const pointsColumn: Column<ListedRecord> = {
    header: msg`Points`,
    width: '3rem',
    align: 'end',
    hideBelow: 'md',
    cell: ({ points }) => points !== undefined && <Figure>{formatPoints(points)}</Figure>,
  }
  const columns: Column<ListedRecord>[] = [
    { header: '#', width: '1.5rem', cell: (record, i) => <Rank rank={rankOf(record, i)} /> },
    {
      header: msg`Player`,
      width: '70%',
      grows: true,
      cell: (record) => <Player record={record} ownId={ownId} />,
    },
    {
      header: msg`Time`,
      width: '5rem',
      cell: (record, i) => (
        <Finish record={record} rank={rankOf(record, i)}>
          <styled.span hideFrom={gapWidth} minW="0">
            {gapAbove(record, i)}
          </styled.span>
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
      barOf={({ gap, finishTime }) => gap && barPercent(gap.toFirst, finishTime)}
      isCurrent={({ _id, player }) => player._id === ownId || _id === highlightedId}
      isNew={isNew}
      rowRef={({ _id }) => (target?.id === _id ? target.ref : undefined)}
    />
  )
}

/** Returns how long the bar of a gap to the first is: a time that is a quarter longer than that of the first fills the row. */
const barPercent = (toFirst: number, ms: number): number => Math.min(100, (400 * toFirst) / (ms - toFirst))

/** The player, with the points where they have no column. */
function Player({ record, ownId }: { record: ListedRecord; ownId: string | undefined }) {
  const own = record.player._id === ownId
  return (
    <Flex align="center" columnGap="2">
      <Box minW="0">
        <PlayerName player={record.player} />
        {record.points !== undefined && (
          <Box
            hideFrom="md"
            ps="9"
            mt="-1"
            textStyle="xs"
            color="fg.muted"
          >{t`${formatPoints(record.points)} points`}</Box>
        )}
      </Box>
      {own && <Badge variant="outline" css={{ smDown: { srOnly: true } }}>{t`You`}</Badge>}
    </Flex>
  )
}

/** The time, with its date and the gap above where these have no columns. */
function Finish({ record, rank, children }: { record: ListedRecord; rank: number; children: Elements }) {
  return (
    <>
      <RecordTime record={record} />
      {record.equalsWorldRecord && rank === 1 && (
        <Box textStyle="xs" color="fg.muted">{t`Equals the world record`}</Box>
      )}
      <Below hideFrom="xl">
        {children}
        <DateTime iso={record.finishTimeStamp} />
      </Below>
    </>
  )
}

// The two are beside each other, but where a name is among them.
const Below = styled('div', {
  base: {
    display: 'flex',
    columnGap: { base: '0', sm: '2' },
    textStyle: 'xs',
    color: 'fg.muted',
    '&:has([data-tie])': { flexWrap: 'wrap' },
    '& > :empty': { display: 'none' },
  },
})

/** A difference, for screen readers as a sentence. */
function Gap({ ms, sentence }: { ms: number; sentence: (time: string) => string }) {
  return (
    <>
      {/* On a phone the bar shows it. */}
      <Box as="span" hideBelow="sm" aria-hidden="true">
        <Time ms={ms} difference />
      </Box>
      <VisuallyHidden>{sentence(formatTime(ms))}</VisuallyHidden>
    </>
  )
}

/** Says with whom a player is tied: the name of the row above, or the place of a row that is not shown. */
function Tie({ name }: { name: string }) {
  const text = t`Tied with ${name}`
  return (
    <styled.span display="block" maxW={{ base: '5.5rem', sm: '9rem' }} overflowWrap="anywhere" data-tie>
      {text}
    </styled.span>
  )
}

function CompareWithMe({ own, player }: { own: string; player: PlayerRef }) {
  const label = t`Compare ${player.name} with me`
  return (
    <IconButton asChild size="xs" variant="ghost" aria-label={label} title={label} _narrowest={{ display: 'none' }}>
      <Link to={paths.compare(own, player._id)}>
        <CompareIcon />
      </Link>
    </IconButton>
  )
}

function Download({ record }: { record: ListedRecord }) {
  return (
    <IconButton asChild size="xs" variant="ghost" aria-label={t`Download the replay of ${record.player.name}`}>
      <a href={replayAddress(record._id)} download>
        <DownloadIcon />
      </a>
    </IconButton>
  )
}
