import type { GameMode, MapSortBy, SearchMapsApiArg, SortDir } from '@/api'
import { addTags, MAX_TAG_LENGTH, MAX_TAGS } from '@/entities/map/tags'
import { pageOf } from '@/ui/lists'
import { readStorage, writeStorage } from '@/ui/storage'

export const GAME_MODES: readonly GameMode[] = ['Classic', 'Grapple', 'VTOL', 'Arrows', 'Death Arrows', 'Simple']

export const PAGE_SIZE = 12

/** Everything that decides which maps are listed, and how. */
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

/** The properties of a control that shows settings and changes them. */
export interface SettingsProps {
  settings: SearchSettings
  onChange: (changed: Partial<SearchSettings>) => void
}

/** Removes the filters of the popover. */
export const noFilters: Partial<SearchSettings> = { author: '', gameMode: '', tags: [] }

export const sortOptions: { sortBy: MapSortBy; sortDir: SortDir; label: string; disabled?: boolean }[] = [
  { sortBy: 'createdAt', sortDir: 'desc', label: 'Newest First' },
  { sortBy: 'createdAt', sortDir: 'asc', label: 'Oldest First' },
  { sortBy: 'name', sortDir: 'asc', label: 'Name (A–Z)' },
  { sortBy: 'name', sortDir: 'desc', label: 'Name (Z–A)' },
  { sortBy: 'recordCount', sortDir: 'desc', label: 'Most Records (coming soon)', disabled: true },
]

/** Returns the option whose order is set. */
export const sortOptionOf = ({ sortBy, sortDir }: SearchSettings) =>
  sortOptions.find((option) => option.sortBy === sortBy && option.sortDir === sortDir)

/** Returns the request of a search, without empty values. */
export function toRequest(settings: SearchSettings) {
  const { name, author, gameMode, tags, ...rest } = settings
  return {
    ...(name && { name }),
    ...(author && { author }),
    ...(gameMode && { gameMode }),
    ...(tags.length > 0 && { tags: tags.join(',') }),
    ...rest,
    limit: PAGE_SIZE,
  } satisfies SearchMapsApiArg
}

/** Returns the query of an address, without default values. */
export function toQuery(settings: SearchSettings): URLSearchParams {
  const { sortBy, sortDir, page, limit: _, ...filters } = toRequest(settings)
  const isDefaultOrder = sortBy === defaultSettings.sortBy && sortDir === defaultSettings.sortDir
  return new URLSearchParams({
    ...filters,
    ...(!isDefaultOrder && { sortBy, sortDir }),
    ...(page > 1 && { page: String(page) }),
  })
}

/** Reads settings from the query of an address. An invalid value counts as the default. */
export function fromQuery(query: URLSearchParams): SearchSettings {
  const gameMode = GAME_MODES.find((mode) => mode === query.get('gameMode')) ?? ''
  const sort = sortOptions.find(
    (option) => !option.disabled && option.sortBy === query.get('sortBy') && option.sortDir === query.get('sortDir'),
  )
  return {
    name: (query.get('name') ?? '').slice(0, 100),
    author: (query.get('author') ?? '').slice(0, 100),
    gameMode,
    tags: addTags([], query.get('tags') ?? '')
      .filter((tag) => tag.length <= MAX_TAG_LENGTH)
      .slice(0, MAX_TAGS),
    sortBy: sort?.sortBy ?? defaultSettings.sortBy,
    sortDir: sort?.sortDir ?? defaultSettings.sortDir,
    page: pageOf(query),
  }
}

/** Returns how many kinds of filters of the popover are active: mode, author, tags. */
export function filterKinds({ gameMode, author, tags }: SearchSettings): number {
  return [gameMode !== '', author !== '', tags.length > 0].filter(Boolean).length
}

export const isFiltered = (settings: SearchSettings) => settings.name !== '' || filterKinds(settings) > 0

export type MapView = 'cards' | 'list'

const SETTINGS_KEY = 'capzone-map-search'
const VIEW_KEY = 'capzone-map-view'

/** Stores search settings for the next visit, which begins at the first page. */
export function storeSettings(settings: SearchSettings): void {
  writeStorage('local', SETTINGS_KEY, toQuery({ ...settings, page: 1 }).toString())
}

/** Returns the query of the stored settings for an address that has none of its own, or null. */
export function restoreSettings(address: URLSearchParams): string | null {
  if (Object.keys(defaultSettings).some((name) => address.has(name))) return null
  // The stored text is checked like an address.
  const stored = fromQuery(new URLSearchParams(readStorage('local', SETTINGS_KEY) ?? ''))
  return toQuery({ ...stored, page: 1 }).toString() || null
}

export const readView = (): MapView => (readStorage('local', VIEW_KEY) === 'list' ? 'list' : 'cards')

export function storeView(view: MapView): void {
  writeStorage('local', VIEW_KEY, view)
}
