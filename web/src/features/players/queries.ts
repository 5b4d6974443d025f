import type {
  GetPlayerPointsApiArg,
  ListRankingsApiArg,
  ListRecordsApiArg,
  SearchMapsApiArg,
  SearchPlayersApiArg,
} from '@/api'
import { oneOf, page, setOf, text, type ViewOf } from '@/ui/address'

export const NAME_LENGTH = 64
export const PLAYERS_PAGE_SIZE = 12
export const RECORDS_PAGE_SIZE = 10
export const POINTS_PAGE_SIZE = 20
export const FIRST_MAPS = 12
export const BEST_RECORDS = 6
export const LATEST_RECORDS = 5

/** How many players above and below another are their rivals. */
export const RIVALS = 2

export const playersAddress = { name: text(NAME_LENGTH), page }

/** The page of players that an address asks for. */
export const playersPage = (view: ViewOf<typeof playersAddress>): SearchPlayersApiArg => ({
  ...setOf(view),
  limit: PLAYERS_PAGE_SIZE,
  sortBy: 'name',
  sortDir: 'asc',
})

/** The page of the records on a profile. */
export const recordsAddress = { page }

/** A player's records, the newest first. */
export const playerRecords = (playerId: string, page: number): ListRecordsApiArg => ({
  player: playerId,
  limit: RECORDS_PAGE_SIZE,
  offset: (page - 1) * RECORDS_PAGE_SIZE,
  sortBy: 'updatedAt',
  sortDir: 'desc',
})

/** The newest records of a player, on the overview of the profile. */
export const latestRecords = (playerId: string): ListRecordsApiArg => ({
  ...playerRecords(playerId, 1),
  limit: LATEST_RECORDS,
})

/** A player's row in the ranking by points, with the five above and the five below. */
export const rankingAround = (playerId: string): ListRankingsApiArg => ({
  by: 'points',
  period: 'all',
  around: playerId,
})

/** The tabs of a profile, as the address names them; the overview is the first. */
export const TABS = ['overview', 'records', 'points', 'maps', 'statistics'] as const
export type Tab = (typeof TABS)[number]

export const tabAddress = { tab: oneOf(TABS, 'overview') }

/** A player's maps, the newest first. */
export const playerMaps = (playerId: string, limit = FIRST_MAPS): SearchMapsApiArg => ({
  authorId: playerId,
  limit,
  sortBy: 'createdAt',
  sortDir: 'desc',
})

/** A player's points in all modes, or in one, with a page of the maps, those with the most points first. */
export const playerPoints = (playerId: string, page = 1, mode = ''): GetPlayerPointsApiArg => ({
  id: playerId,
  ...(mode && { mode }),
  limit: POINTS_PAGE_SIZE,
  offset: (page - 1) * POINTS_PAGE_SIZE,
})
