import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import type { MapSortBy, ProgressFilter, SearchMapsApiArg, SortDir } from '@/api'
import { GAME_MODES } from '@/entities/map/modes'
import { addTags, MAX_TAG_LENGTH, MAX_TAGS } from '@/entities/map/tags'
import { lengthOf } from '@/forms/characters'
import { changeAddress, oneOf, page, readAddress, setOf, text, type ViewOf } from '@/ui/address'
import { readStorage, writeStorage } from '@/ui/storage'

/** Where the player who asks stands on a map. */
export const PROGRESS: Record<ProgressFilter, MessageDescriptor> = {
  unplayed: msg`Not played`,
  played: msg`Played`,
  near: msg`Close to the next medal`,
  belowGold: msg`Below gold`,
  belowAuthor: msg`Below the author medal`,
  notFirst: msg`Not first`,
}

export const PAGE_SIZE = 12

/** Everything that decides which maps are listed, and how. */
export const searchAddress = {
  name: text(),
  gameMode: oneOf(GAME_MODES, ''),
  author: text(),
  tags: {
    parse: (text: string) =>
      addTags([], text)
        .filter((tag) => lengthOf(tag) <= MAX_TAG_LENGTH)
        .slice(0, MAX_TAGS),
    format: (tags: string[]) => tags.join(','),
  },
  progress: oneOf(Object.keys(PROGRESS) as ProgressFilter[], ''),
  sortBy: oneOf<MapSortBy, MapSortBy>(['createdAt', 'name', 'toNextMedal', 'myRank'], 'createdAt'),
  sortDir: oneOf<SortDir, SortDir>(['asc', 'desc'], 'desc'),
  page,
}
export type SearchSettings = ViewOf<typeof searchAddress>

const NEWEST_FIRST = { sortBy: 'createdAt', sortDir: 'desc' } as const

/** The properties of a control that shows settings and changes them. */
export interface SettingsProps {
  settings: SearchSettings
  onChange: (changed: Partial<SearchSettings>) => void
}

/** Removes the filters of the popover. */
export const noFilters = { gameMode: '', author: '', tags: [], progress: '' } satisfies Partial<SearchSettings>

interface SortOption {
  sortBy: MapSortBy
  sortDir: SortDir
  label: MessageDescriptor
  disabled?: boolean
  /** The order is by the times of the player who is logged in. */
  own?: boolean
}

export const sortOptions: readonly SortOption[] = [
  { sortBy: 'createdAt', sortDir: 'desc', label: msg`Newest First` },
  { sortBy: 'createdAt', sortDir: 'asc', label: msg`Oldest First` },
  { sortBy: 'name', sortDir: 'asc', label: msg`Name (A–Z)` },
  { sortBy: 'name', sortDir: 'desc', label: msg`Name (Z–A)` },
  { sortBy: 'recordCount', sortDir: 'desc', label: msg`Most Records (coming soon)`, disabled: true },
  { sortBy: 'toNextMedal', sortDir: 'asc', label: msg`Closest to My Next Medal`, own: true },
  { sortBy: 'myRank', sortDir: 'asc', label: msg`My Best Ranks`, own: true },
]

/** Returns the option whose order is set. */
export const sortOptionOf = ({ sortBy, sortDir }: SearchSettings) =>
  sortOptions.find((option) => option.sortBy === sortBy && option.sortDir === sortDir)

/** Reports whether a search is by the player's own times, and so needs a login. */
export const isOwn = (settings: SearchSettings): boolean =>
  settings.progress !== '' || sortOptionOf(settings)?.own === true

/** Returns what to change for a search that is not by the player's own times. */
export const withoutOwn = (settings: SearchSettings): Partial<SearchSettings> => ({
  progress: '',
  ...(sortOptionOf(settings)?.own && NEWEST_FIRST),
})

/** Returns the request of a search, without empty values. */
export const toRequest = ({ tags, ...settings }: SearchSettings): SearchMapsApiArg => ({
  ...setOf({ ...settings, tags: tags.join(',') }),
  limit: PAGE_SIZE,
})

/** Returns the query of an address. */
export const toQuery = (settings: SearchSettings): URLSearchParams =>
  changeAddress(searchAddress, new URLSearchParams(), settings)

/** Reads settings from the query of an address. An order that is not offered counts as the default. */
export function fromQuery(query: URLSearchParams): SearchSettings {
  const settings = readAddress(searchAddress, query)
  return sortOptionOf(settings) ? settings : { ...settings, ...NEWEST_FIRST }
}

interface Chip {
  text: string
  /** The settings without what the chip shows. */
  without: Partial<SearchSettings>
}

/** Returns a chip for each active filter, and for each tag. */
export function chipsOf({ name, gameMode, author, tags, progress }: SearchSettings): Chip[] {
  return [
    ...(name ? [{ text: t`Name: ${name}`, without: { name: '' } }] : []),
    ...(gameMode ? [{ text: t`Mode: ${gameMode}`, without: { gameMode: '' as const } }] : []),
    ...(author ? [{ text: t`Author: ${author}`, without: { author: '' } }] : []),
    ...tags.map((tag) => ({ text: `#${tag}`, without: { tags: tags.filter((other) => other !== tag) } })),
    ...(progress ? [{ text: i18n._(PROGRESS[progress]), without: { progress: '' as const } }] : []),
  ]
}

/** Returns how many kinds of filters of the popover are active. */
export const filterKinds = ({ gameMode, author, tags, progress }: SearchSettings): number =>
  [gameMode, author, tags[0], progress].filter(Boolean).length

export const isFiltered = (settings: SearchSettings) => settings.name !== '' || filterKinds(settings) > 0

export type MapView = 'cards' | 'list'

const SETTINGS_KEY = 'capzone-map-search'
const VIEW_KEY = 'capzone-map-view'

/**
 * Stores search settings for the next visit, which begins at the first page. What needs a login is left out: that visit
 * may be without one.
 */
export function storeSettings(settings: SearchSettings): void {
  writeStorage('local', SETTINGS_KEY, toQuery({ ...settings, ...withoutOwn(settings), page: 1 }).toString())
}

/** Returns the query of the stored settings for an address that has none of its own, or null. */
export function restoreSettings(address: URLSearchParams): string | null {
  if (Object.keys(searchAddress).some((name) => address.has(name))) return null
  // The stored text is checked like an address.
  const stored = fromQuery(new URLSearchParams(readStorage('local', SETTINGS_KEY) ?? ''))
  return toQuery({ ...stored, page: 1 }).toString() || null
}

export const readView = (): MapView => (readStorage('local', VIEW_KEY) === 'list' ? 'list' : 'cards')

export function storeView(view: MapView): void {
  writeStorage('local', VIEW_KEY, view)
}
