import type { ComparePlayersApiArg } from '@/api'
import { pageOf } from '@/ui/lists'

export const COMPARED_MAPS_PAGE_SIZE = 20

/** The filter of the maps on which the player is close behind. */
export const CLOSE_BEHIND_MS = 500

/** What an address shows of a comparison: the order and the page of its maps, and whether only close ones are left. */
export function comparisonView(address: URLSearchParams) {
  return {
    sortBy: address.get('sortBy') === 'biggest' ? ('biggest' as const) : ('closest' as const),
    behind: address.get('behind') === 'close',
    page: pageOf(address),
  }
}

/** The request for what an address shows of the comparison of two players. */
export function comparison(id: string, opponent: string, address: URLSearchParams): ComparePlayersApiArg {
  const { sortBy, behind, page } = comparisonView(address)
  return {
    id,
    opponent,
    sortBy,
    ...(behind && { behindBelow: CLOSE_BEHIND_MS }),
    offset: (page - 1) * COMPARED_MAPS_PAGE_SIZE,
    limit: COMPARED_MAPS_PAGE_SIZE,
  }
}
