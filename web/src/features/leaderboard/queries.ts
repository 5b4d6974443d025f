import type { ListRecordsApiArg } from '@/api'
import { LEADERBOARD_PAGE_SIZE } from '@/routes/paths'
import type { User } from '@/session/session'
import { flag, page, text, type ViewOf } from '@/ui/address'

const ORDER = { sortBy: 'finishTime,finishTimeStamp', sortDir: 'asc,asc' } as const

/** A page of a map's leaderboard. */
export const leaderboardPage = (mapId: string, page: number): ListRecordsApiArg => ({
  map: mapId,
  limit: LEADERBOARD_PAGE_SIZE,
  offset: (page - 1) * LEADERBOARD_PAGE_SIZE,
  ...ORDER,
})

/** The one row of a player on a map's leaderboard, which has its rank. */
export const playerOnLeaderboard = (mapId: string, playerId: string): ListRecordsApiArg => ({
  map: mapId,
  player: playerId,
  limit: 1,
  offset: 0,
  ...ORDER,
})

/** The row of a player on a map's leaderboard with the five above and the five below. */
export const rowsAround = (mapId: string, playerId: string): ListRecordsApiArg => ({
  map: mapId,
  around: playerId,
  ...ORDER,
})

/**
 * What an address shows of a leaderboard: the rows around the player who is logged in, those of the players whom they
 * follow, or a page of all, with a record to highlight.
 */
export const leaderboardAddress = {
  around: flag('me'),
  following: flag(),
  page,
  record: { ...text(), restarts: true },
}
export type LeaderboardView = ViewOf<typeof leaderboardAddress>

/**
 * The rows that an address asks for: those around the player, a page of those of followed players, or a page of all where
 * nobody is logged in.
 */
export function shownRows(mapId: string, view: LeaderboardView, user: User | null): ListRecordsApiArg {
  if (user && view.around) return rowsAround(mapId, user._id)
  const page = leaderboardPage(mapId, view.page)
  return user && view.following ? { ...page, following: true } : page
}
