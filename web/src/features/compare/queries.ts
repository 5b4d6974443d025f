import type { ComparePlayersApiArg } from '@/api'
import { flag, oneOf, page, type ViewOf } from '@/ui/address'

export const COMPARED_MAPS_PAGE_SIZE = 20

/** The filter of the maps on which the player is close behind. */
export const CLOSE_BEHIND_MS = 500

/** What an address shows of a comparison: the order and the page of its maps, and whether only close ones are left. */
export const comparisonAddress = { sortBy: oneOf(['closest', 'biggest'], 'closest'), behind: flag('close'), page }
export type ComparisonView = ViewOf<typeof comparisonAddress>

/** The request for what an address shows of the comparison of two players. */
export const comparison = (
  id: string,
  opponent: string,
  { sortBy, behind, page }: ComparisonView,
): ComparePlayersApiArg => ({
  id,
  opponent,
  sortBy,
  ...(behind && { behindBelow: CLOSE_BEHIND_MS }),
  offset: (page - 1) * COMPARED_MAPS_PAGE_SIZE,
  limit: COMPARED_MAPS_PAGE_SIZE,
})
