import type { ListRankingsApiArg, RankingBy } from '@/api'
import { GAME_MODES } from '@/entities/map/modes'
import type { User } from '@/session/session'
import { oneOf, page, readAddress, setOf, text, type ViewOf } from '@/ui/address'

export const RANKINGS_PAGE_SIZE = 25

/** What players can be ranked by. */
export const RANKINGS: readonly RankingBy[] = ['points', 'worldRecords', 'authorMedals', 'goldMedals', 'finished']

/** What an address shows of the rankings. */
export const rankingAddress = {
  by: oneOf(RANKINGS, 'points'),
  mode: oneOf(GAME_MODES, ''),
  period: oneOf(['all', 'month'], 'all'),
  /** The id of a player whose row is shown with its neighbours, 'me' for the one who is logged in; '' for a page. */
  around: text(),
  page,
}
export type RankingView = ViewOf<typeof rankingAddress>

/** Returns the id of the player whose neighbours a view shows; '' for a page, and for 'me' where nobody is logged in. */
export const playerAround = ({ around }: RankingView, user: User | null): string =>
  around === 'me' ? (user?._id ?? '') : around

/** The request for the row of a player, with the five above and the five below. */
export const rowsAround = ({ by, mode, period }: RankingView, playerId: string): ListRankingsApiArg => ({
  ...setOf({ by, mode, period }),
  around: playerId,
})

/** The request for what a view shows. */
export function shownRanking(view: RankingView, user: User | null): ListRankingsApiArg {
  const around = playerAround(view, user)
  if (around) return rowsAround(view, around)
  return { ...setOf({ ...view, around }), limit: RANKINGS_PAGE_SIZE }
}

/** The first page of the ranking by points. Its answer has the thresholds of the formula, too. */
export const FIRST_RANKING = shownRanking(readAddress(rankingAddress, new URLSearchParams()), null)
