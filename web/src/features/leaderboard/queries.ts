import type { ListRecordsApiArg } from '@/api'
import { LEADERBOARD_PAGE_SIZE } from '@/routes/paths'

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
