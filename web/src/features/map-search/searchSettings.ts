import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import type { GameMode, MapSortBy, ProgressFilter, SearchMapsApiArg, SortDir } from '@/api'
import { GAME_MODES } from '@/entities/map/modes'
import { addTags, MAX_TAG_LENGTH, MAX_TAGS } from '@/entities/map/tags'
import { pageOf } from '@/ui/lists'
import { readStorage, writeStorage } from '@/ui/storage'

/** Where the player who asks stands on a map. */
export const PROGRESS: Record<ProgressFilter, MessageDescriptor> = {
  unplayed: msg`Not played`,
  played: msg`Played`,
  near: msg`Next medal is near`,
  belowGold: msg`Below gold`,
  belowAuthor: msg`Below the author medal`,
  notFirst: msg`Not first`,
}

export const PAGE_SIZE = 12

/** Everything that decides which maps are listed, and how. */
export interface SearchSettings {
  name: string
  author: string
  gameMode: GameMode | ''
  tags: string[]
  progress: ProgressFilter | ''
  sortBy: MapSortBy
  sortDir: SortDir
  page: number
}

export const defaultSettings: SearchSettings = {
  name: '',
  author: '',
  gameMode: '',
  tags: [],
  progress: '',
  sortBy: 'createdAt',
  sortDir: 'desc',
  page: 1,
}

/** The properties of a control that shows settings and changes them. */
export interface SettingsProps {
  settings: SearchSettings
  onChange: (changed: Partial<SearchSettings>) => void
}

const MAX_TEXT = 100

interface Chip {
  text: string
  /** The settings without what the chip shows. */
  without: Partial<SearchSettings>
}

/** A filter: its key in addresses and requests, its text there, and its chips. Everything about filters derives from these. */
interface Filter {
  key: 'name' | 'gameMode' | 'author' | 'tags' | 'progress'
  /** The name has a field of its own; the others are in the popover. */
  inPopover: boolean
  /** Reads the text of an address; an invalid one counts as none. */
  parse: (text: string) => Partial<SearchSettings>
  /** Writes the text; it is empty where the filter is not active. */
  format: (settings: SearchSettings) => string
  chips: (settings: SearchSettings) => Chip[]
}

const FILTERS: readonly Filter[] = [
  {
    key: 'name',
    inPopover: false,
    parse: (text) => ({ name: text.slice(0, MAX_TEXT) }),
    format: ({ name }) => name,
    chips: ({ name }) => [{ text: t`Name: ${name}`, without: { name: '' } }],
  },
  {
    key: 'gameMode',
    inPopover: true,
    parse: (text) => ({ gameMode: GAME_MODES.find((mode) => mode === text) ?? '' }),
    format: ({ gameMode }) => gameMode,
    chips: ({ gameMode }) => [{ text: t`Mode: ${gameMode}`, without: { gameMode: '' } }],
  },
  {
    key: 'author',
    inPopover: true,
    parse: (text) => ({ author: text.slice(0, MAX_TEXT) }),
    format: ({ author }) => author,
    chips: ({ author }) => [{ text: t`Author: ${author}`, without: { author: '' } }],
  },
  {
    key: 'tags',
    inPopover: true,
    parse: (text) => ({
      tags: addTags([], text)
        .filter((tag) => tag.length <= MAX_TAG_LENGTH)
        .slice(0, MAX_TAGS),
    }),
    format: ({ tags }) => tags.join(','),
    chips: ({ tags }) =>
      tags.map((tag) => ({ text: `#${tag}`, without: { tags: tags.filter((other) => other !== tag) } })),
  },
  {
    key: 'progress',
    inPopover: true,
    parse: (text) => ({ progress: isProgress(text) ? text : '' }),
    format: ({ progress }) => progress,
    chips: ({ progress }) => {
      const label = progress && PROGRESS[progress]
      return label ? [{ text: i18n._(label), without: { progress: '' } }] : []
    },
  },
]

const isProgress = (text: string): text is ProgressFilter => Object.hasOwn(PROGRESS, text)

const activeFilters = (settings: SearchSettings) => FILTERS.filter(({ format }) => format(settings) !== '')

/** Removes the filters of the popover. */
export const noFilters: Partial<SearchSettings> = Object.fromEntries(
  FILTERS.filter(({ inPopover }) => inPopover).map(({ key }) => [key, defaultSettings[key]]),
)

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
export function withoutOwn(settings: SearchSettings): Partial<SearchSettings> {
  const { sortBy, sortDir } = defaultSettings
  return { progress: '', ...(sortOptionOf(settings)?.own && { sortBy, sortDir }) }
}

/** Returns the request of a search, without empty values. */
export function toRequest(settings: SearchSettings): SearchMapsApiArg {
  const { sortBy, sortDir, page } = settings
  // The client writes a request's values as texts. Each filter parses its own, so that gameMode is one of the modes.
  return { ...(textsOf(settings) as object), sortBy, sortDir, page, limit: PAGE_SIZE }
}

/** Returns the query of an address, without default values. */
export function toQuery(settings: SearchSettings): URLSearchParams {
  const { sortBy, sortDir, page } = settings
  const isDefaultOrder = sortBy === defaultSettings.sortBy && sortDir === defaultSettings.sortDir
  return new URLSearchParams({
    ...textsOf(settings),
    ...(!isDefaultOrder && { sortBy, sortDir }),
    ...(page > 1 && { page: String(page) }),
  })
}

// The texts of the active filters, as addresses have them.
const textsOf = (settings: SearchSettings): Record<string, string> =>
  Object.fromEntries(activeFilters(settings).map(({ key, format }) => [key, format(settings)]))

/** Reads settings from the query of an address. An invalid value counts as the default. */
export function fromQuery(query: URLSearchParams): SearchSettings {
  const sort = sortOptions.find(
    (option) => !option.disabled && option.sortBy === query.get('sortBy') && option.sortDir === query.get('sortDir'),
  )
  const filters = FILTERS.map(({ key, parse }) => parse(query.get(key) ?? ''))
  const { sortBy, sortDir } = sort ?? defaultSettings
  return Object.assign({}, defaultSettings, ...filters, { sortBy, sortDir, page: pageOf(query) })
}

/** Returns how many kinds of filters of the popover are active: mode, author, tags. */
export const filterKinds = (settings: SearchSettings): number =>
  activeFilters(settings).filter(({ inPopover }) => inPopover).length

/** Returns a chip for each active filter, and for each tag. */
export const chipsOf = (settings: SearchSettings): Chip[] =>
  activeFilters(settings).flatMap(({ chips }) => chips(settings))

export const isFiltered = (settings: SearchSettings) => activeFilters(settings).length > 0

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
  if (Object.keys(defaultSettings).some((name) => address.has(name))) return null
  // The stored text is checked like an address.
  const stored = fromQuery(new URLSearchParams(readStorage('local', SETTINGS_KEY) ?? ''))
  return toQuery({ ...stored, page: 1 }).toString() || null
}

export const readView = (): MapView => (readStorage('local', VIEW_KEY) === 'list' ? 'list' : 'cards')

export function storeView(view: MapView): void {
  writeStorage('local', VIEW_KEY, view)
}
