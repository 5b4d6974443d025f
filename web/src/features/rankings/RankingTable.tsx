import { msg, t } from '@lingui/core/macro'
import type { RankChange, RankingBy, RankingRow } from '@/api'
import { PlayerName } from '@/entities/player/PlayerName'
import { formatPoints, formatPointsChange } from '@/entities/points/format'
import { movedByText } from '@/entities/points/texts'
import { useSession } from '@/store/hooks'
import { Badge, Box, type Column, DataTable, Figure, HStack } from '@/ui'
import { formatNumber } from '@/ui/format'
import { Rank } from '@/ui/more/Rank'
import type { RowTarget } from '@/ui/rowTarget'
import { playerAround, RANKINGS, RANKINGS_PAGE_SIZE, type RankingView } from './queries'
import { RANKING_NAMES } from './rankingNames'

const textOf: Record<RankingBy, (row: RankingRow) => string> = {
  points: ({ points }) => formatPoints(points),
  worldRecords: ({ worldRecords }) => formatNumber(worldRecords),
  authorMedals: ({ medals }) => formatNumber(medals.author),
  goldMedals: ({ medals }) => formatNumber(medals.gold),
  finished: ({ finished }) => formatNumber(finished),
}

/** Returns the function that formats what a ranking is by. */
export const valueText = (by: RankingBy) => textOf[by]

interface Props {
  view: RankingView
  /** Undefined while they load. */
  rows: RankingRow[] | undefined
  /** The visitor's own row where it is on another page. */
  pinned: RankingRow | undefined
  /** The row that the page scrolls to. */
  target: RowTarget | null
}

/** The rows of a ranking. What it is by comes first, and is all that a phone shows. */
export function RankingTable({ view, rows, pinned, target }: Props) {
  const user = useSession()
  const around = playerAround(view, user)
  const others = RANKINGS.filter((by) => by !== view.by)
  const hasChange = view.by === 'points' && view.period === 'all' && !view.mode
  const columns: Column<RankingRow>[] = [
    { header: '#', width: '1.5rem', cell: ({ rank }) => <Rank rank={rank} /> },
    { header: msg`Player`, width: '70%', cell: ({ player }) => <Player player={player} ownId={user?._id} /> },
    {
      header: RANKING_NAMES[view.by],
      width: '3rem',
      align: 'end',
      cell: (row) => <Figure color={row.rank === 1 ? 'first.fg' : undefined}>{textOf[view.by](row)}</Figure>,
    },
    ...(hasChange
      ? [
          {
            header: msg`Last 7 days`,
            width: '4rem',
            align: 'end' as const,
            hideBelow: 'sm' as const,
            cell: ({ change7d }: RankingRow) => (change7d ? <Change change={change7d} /> : '–'),
          },
        ]
      : []),
    ...others.map(
      (by): Column<RankingRow> => ({
        header: RANKING_NAMES[by],
        width: '3rem',
        align: 'end',
        hideBelow: 'lg',
        muted: true,
        cell: (row) => <Figure>{textOf[by](row)}</Figure>,
      }),
    ),
  ]
  return (
    <DataTable
      label={t`Ranking`}
      columns={columns}
      rows={rows}
      pinned={pinned}
      idOf={({ player }) => player._id}
      skeletonRows={RANKINGS_PAGE_SIZE}
      isCurrent={({ player }) => player._id === user?._id || player._id === around}
      rowRef={({ player }) => (target?.id === player._id ? target.ref : undefined)}
    />
  )
}

function Player({ player, ownId }: { player: RankingRow['player']; ownId: string | undefined }) {
  const own = player._id === ownId
  return (
    <HStack gap="2">
      <Box minW="0" maxW={{ base: own ? '8rem' : '11rem', sm: 'full' }}>
        <PlayerName player={player} />
      </Box>
      {own && <Badge variant="outline">{t`You`}</Badge>}
    </HStack>
  )
}

function Change({ change: { points, places } }: { change: RankChange }) {
  return (
    <Box whiteSpace="nowrap">
      <Figure>{formatPointsChange(points)}</Figure>
      {places !== 0 && (
        <Box textStyle="xs" color="fg.muted">
          {movedByText(places)}
        </Box>
      )}
    </Box>
  )
}
