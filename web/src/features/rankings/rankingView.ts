import type { GameMode, ListRankingsApiArg, RankingBy, RankingPeriod } from '@/api'
import { GAME_MODES } from '@/entities/map/modes'
import { paths } from '@/routes/paths'
import type { User } from '@/session/session'
import { pageOf } from '@/ui/lists'

export const RANKINGS_PAGE_SIZE = 25

/** What players can be ranked by. */
export const RANKINGS: readonly RankingBy[] = ['points', 'worldRecords', 'authorMedals', 'goldMedals', 'finished']

/** What an address shows of the rankings. */
export interface RankingView {
  by: RankingBy
  mode: GameMode | ''
  period: RankingPeriod
  page: number
  /** The id of a player whose row is shown with its neighbours, 'me' for the one who is logged in; '' for a page. */
  around: string
}

/** Returns what an address shows of the rankings. */
export function rankingView(address: URLSearchParams): RankingView {
  return {
    by: RANKINGS.find((by) => by === address.get('by')) ?? 'points',
    mode: GAME_MODES.find((mode) => mode === address.get('mode')) ?? '',
    period: address.get('period') === 'month' ? 'month' : 'all',
    page: pageOf(address),
    around: address.get('around') ?? '',
  }
}

/** Returns the link to a view. */
export function rankingLink({ by, mode, period, page, around }: RankingView): string {
  const query = new URLSearchParams({
    ...(by !== 'points' && { by }),
    ...(mode && { mode }),
    ...(period === 'month' && { period }),
    ...(around && { around }),
    ...(page > 1 && !around && { page: String(page) }),
  }).toString()
  return query ? `${paths.rankings}?${query}` : paths.rankings
}

/** Returns the id of the player whose neighbours a view shows; '' for a page, and for 'me' where nobody is logged in. */
export const playerAround = ({ around }: RankingView, user: User | null): string =>
  around === 'me' ? (user?._id ?? '') : around

/** The request for the row of a player, with the five above and the five below. */
export const rowsAround = ({ by, mode, period }: RankingView, playerId: string): ListRankingsApiArg => ({
  by,
  ...(mode && { mode }),
  period,
  around: playerId,
})

/** The request for what a view shows. */
export function shownRanking(view: RankingView, user: User | null): ListRankingsApiArg {
  const around = playerAround(view, user)
  if (around) return rowsAround(view, around)
  const { by, mode, period, page } = view
  return { by, ...(mode && { mode }), period, page, limit: RANKINGS_PAGE_SIZE }
}

/** The first page of the ranking by points. Its answer has the thresholds of the formula, too. */
export const FIRST_RANKING = shownRanking(rankingView(new URLSearchParams()), null)
