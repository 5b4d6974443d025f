import type { ListRankingsApiArg, ListRecordsApiArg, ListWorldRecordsApiArg, SearchMapsApiArg } from '@/api'

// The gateway writes the answers to these requests into the document (describeHome).

export const NEWEST_WORLD_RECORDS = { limit: 5 } as const satisfies ListWorldRecordsApiArg

export const RECENT_MAPS = {
  limit: 4,
  sortBy: 'createdAt',
  sortDir: 'desc',
} as const satisfies SearchMapsApiArg

export const TOP_OF_MONTH = { by: 'points', period: 'month', page: 1, limit: 5 } as const satisfies ListRankingsApiArg

export const RECENT_RECORDS = {
  limit: 5,
  sortBy: 'updatedAt',
  sortDir: 'desc',
} as const satisfies ListRecordsApiArg
