import type { ListRecordsApiArg, SearchMapsApiArg } from '@/api'

export const RECENT_MAPS = {
  limit: 4,
  sortBy: 'createdAt',
  sortDir: 'desc',
} as const satisfies SearchMapsApiArg

export const RECENT_RECORDS = {
  limit: 5,
  sortBy: 'updatedAt',
  sortDir: 'desc',
} as const satisfies ListRecordsApiArg
