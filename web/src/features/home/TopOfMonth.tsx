import { t } from '@lingui/core/macro'
import { type RankingRow, useListRankingsQuery } from '@/api'
import { Listing } from '@/api/Listing'
import { LoadFailure, useLoggedError } from '@/api/more/LoadFailure'
import { PlayerName } from '@/entities/player/PlayerName'
import { formatPoints } from '@/entities/points/format'
import { paths } from '@/routes/paths'
import { Figure, Skeleton, styled } from '@/ui'
import { PageLink } from '@/ui/links'
import { range } from '@/ui/lists'
import { EmptyMessage } from '@/ui/messages'
import { Part } from '@/ui/Part'
import { TOP_OF_MONTH } from './queries'

/** The players with the most points of the records of this month. */
export function TopOfMonth() {
  const query = useListRankingsQuery(TOP_OF_MONTH)
  useLoggedError('Failed to load the ranking of the month', query.error)
  return (
    <Part title={t`Top 5 This Month`}>
      <Listing
        query={query}
        failed={<LoadFailure title={t`The ranking could not be loaded.`} onRetry={query.refetch} />}
        empty={
          <EmptyMessage title={t`Nobody is ranked this month yet.`} hint={t`Personal bests of this month count.`} />
        }
      >
        {(rows) => (
          <ol aria-busy={!rows}>
            {rows
              ? rows.map((row) => <Place key={row.player._id} row={row} />)
              : range(TOP_OF_MONTH.limit).map((i) => (
                  <Row key={i}>
                    <Skeleton h="7" w="full" />
                  </Row>
                ))}
          </ol>
        )}
      </Listing>
      <PageLink to={paths.rankingOfMonth} textStyle="sm">{t`Whole ranking`}</PageLink>
    </Part>
  )
}

const Row = styled('li', { base: { display: 'flex', alignItems: 'center', gap: '2', h: '10' } })

function Place({ row: { rank, player, points } }: { row: RankingRow }) {
  const color = rank === 1 ? 'first.fg' : undefined
  return (
    <Row>
      <Figure w="6" color={color}>
        {rank}
      </Figure>
      <PlayerName player={player} />
      <Figure ms="auto" color={color}>
        {formatPoints(points)}
      </Figure>
    </Row>
  )
}
