import type { ListRecordsApiArg } from '@/api'
import { LEADERBOARD_PAGE_SIZE } from '@/routes/paths'
import type { User } from '@/session/session'
import { pageOf } from '@/ui/lists'

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

/** Reports whether an address asks for the rows around the player who is logged in. */
export const isAround = (address: URLSearchParams): boolean => address.get('around') === 'me'

/** Reports whether an address asks for the rows of the players whom the player who is logged in follows. */
export const isFollowing = (address: URLSearchParams): boolean => address.get('following') === 'true'

/**
 * The rows that an address asks for: those around the player, a page of those of followed players, or a page of all where
 * nobody is logged in.
 */
export function shownRows(mapId: string, address: URLSearchParams, user: User | null): ListRecordsApiArg {
  if (user && isAround(address)) return rowsAround(mapId, user._id)
  const page = leaderboardPage(mapId, pageOf(address))
  return user && isFollowing(address) ? { ...page, following: true } : page
}
