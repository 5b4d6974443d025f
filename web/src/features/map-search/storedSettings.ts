import { readStorage, writeStorage } from '@/ui/storage'
import { fromQuery, hasSettings, type SearchSettings, toQuery } from './searchSettings'

export type MapView = 'cards' | 'list'

const SETTINGS_KEY = 'capzone-map-search'
const VIEW_KEY = 'capzone-map-view'

/** Stores search settings for the next visit, which begins at the first page. */
export function storeSettings(settings: SearchSettings): void {
  writeStorage('local', SETTINGS_KEY, toQuery({ ...settings, page: 1 }).toString())
}

/** Returns the query of the stored settings for an address that has none of its own, or null. */
export function restoreSettings(address: URLSearchParams): string | null {
  if (hasSettings(address)) return null
  // The stored text is checked like an address.
  const stored = fromQuery(new URLSearchParams(readStorage('local', SETTINGS_KEY) ?? ''))
  return toQuery({ ...stored, page: 1 }).toString() || null
}

export const readView = (): MapView => (readStorage('local', VIEW_KEY) === 'list' ? 'list' : 'cards')

export function storeView(view: MapView): void {
  writeStorage('local', VIEW_KEY, view)
}
