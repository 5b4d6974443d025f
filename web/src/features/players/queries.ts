import type { GetPlayerPointsApiArg, ListRecordsApiArg, SearchMapsApiArg, SearchPlayersApiArg } from '@/api'
import { pageOf } from '@/ui/lists'

export const NAME_LENGTH = 64
export const PLAYERS_PAGE_SIZE = 12
export const RECORDS_PAGE_SIZE = 10
export const POINTS_PAGE_SIZE = 20
export const FIRST_MAPS = 12

export const nameOf = (address: URLSearchParams) => (address.get('name') ?? '').slice(0, NAME_LENGTH)

/** The page of players that an address asks for. */
export function playersPage(address: URLSearchParams): SearchPlayersApiArg {
  const name = nameOf(address)
  return {
    ...(name && { name }),
    page: pageOf(address),
    limit: PLAYERS_PAGE_SIZE,
    sortBy: 'name',
    sortDir: 'asc',
  }
}

/** A player's records, the newest first. */
export const playerRecords = (playerId: string, page: number): ListRecordsApiArg => ({
  player: playerId,
  limit: RECORDS_PAGE_SIZE,
  offset: (page - 1) * RECORDS_PAGE_SIZE,
  sortBy: 'updatedAt',
  sortDir: 'desc',
})

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
