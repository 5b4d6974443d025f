import type { GameMode, MapSortBy, SearchMapsApiArg, SortDir } from '@/shared/api'
import { pageOf } from '@/shared/lib/pageOf'
import { addTags } from '@/shared/lib/tags'

export const GAME_MODES: readonly GameMode[] = [
  'Classic',
  'Grapple',
  'VTOL',
  'Arrows',
  'Death Arrows',
  'Simple',
]

export const PAGE_SIZE = 12

// What a map can have.
const TAGS = 10
const TAG_LENGTH = 24

// SearchSettings is everything that decides which maps are listed, and how.
export interface SearchSettings {
  name: string
  author: string
  gameMode: GameMode | ''
  tags: string[]
  sortBy: MapSortBy
  sortDir: SortDir
  page: number
}

export const defaultSettings: SearchSettings = {
  name: '',
  author: '',
  gameMode: '',
  tags: [],
  sortBy: 'createdAt',
  sortDir: 'desc',
  page: 1,
}

export const sortOptions: {
  value: string
  sortBy: MapSortBy
  sortDir: SortDir
  label: string
  disabled?: boolean
}[] = [
  { value: 'createdAt-desc', sortBy: 'createdAt', sortDir: 'desc', label: 'Newest First' },
  { value: 'createdAt-asc', sortBy: 'createdAt', sortDir: 'asc', label: 'Oldest First' },
  { value: 'name-asc', sortBy: 'name', sortDir: 'asc', label: 'Name (A–Z)' },
  { value: 'name-desc', sortBy: 'name', sortDir: 'desc', label: 'Name (Z–A)' },
  {
    value: 'recordCount-desc',
    sortBy: 'recordCount',
    sortDir: 'desc',
    label: 'Most Records (coming soon)',
    disabled: true,
  },
]

// toRequest leaves empty values out.
export function toRequest(settings: SearchSettings): SearchMapsApiArg {
  const { name, author, gameMode, tags, ...rest } = settings
  return {
    ...(name && { name }),
    ...(author && { author }),
    ...(gameMode && { gameMode }),
    ...(tags.length > 0 && { tags: tags.join(',') }),
    ...rest,
    limit: PAGE_SIZE,
  }
}

// toQuery writes settings for an address; what is as by default is left out.
export function toQuery(settings: SearchSettings): URLSearchParams {
  const query = new URLSearchParams()
  if (settings.name) query.set('name', settings.name)
  if (settings.author) query.set('author', settings.author)
  if (settings.gameMode) query.set('gameMode', settings.gameMode)
  if (settings.tags.length > 0) query.set('tags', settings.tags.join(','))
  if (settings.sortBy !== defaultSettings.sortBy || settings.sortDir !== defaultSettings.sortDir) {
    query.set('sortBy', settings.sortBy)
    query.set('sortDir', settings.sortDir)
  }
  if (settings.page > 1) query.set('page', String(settings.page))
  return query
}

// fromQuery reads settings from an address. What makes no sense there is as by default.
export function fromQuery(query: URLSearchParams): SearchSettings {
  const gameMode = GAME_MODES.find((mode) => mode === query.get('gameMode')) ?? ''
  const sort = sortOptions.find(
    (option) =>
      !option.disabled && option.sortBy === query.get('sortBy') && option.sortDir === query.get('sortDir'),
  )
  return {
    name: (query.get('name') ?? '').slice(0, 100),
    author: (query.get('author') ?? '').slice(0, 100),
    gameMode,
    tags: addTags([], query.get('tags') ?? '')
      .filter((tag) => tag.length <= TAG_LENGTH)
      .slice(0, TAGS),
    sortBy: sort?.sortBy ?? defaultSettings.sortBy,
    sortDir: sort?.sortDir ?? defaultSettings.sortDir,
    page: pageOf(query),
  }
}

// filterKinds counts what the filter popover holds: mode, author, tags.
export function filterKinds({ gameMode, author, tags }: SearchSettings): number {
  return [gameMode !== '', author !== '', tags.length > 0].filter(Boolean).length
}

export const isFiltered = (settings: SearchSettings) => settings.name !== '' || filterKinds(settings) > 0
