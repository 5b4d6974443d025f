import { useCallback, useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { defaultSettings, fromQuery, type SearchSettings, toQuery } from './searchSettings'

export type MapView = 'cards' | 'list'

const SETTINGS_KEY = 'capzone-map-search'
const VIEW_KEY = 'capzone-map-view'

// useMapSearch keeps the search settings in the address, so that they can be linked to and gone back to, and in the
// browser's storage, for the next visit. What an address says wins over what was stored.
export function useMapSearch() {
  const [query, setQuery] = useSearchParams()
  // Restored once, when the page opens without settings of its own; an empty address later means no filters.
  const [restored, setRestored] = useState(() => (query.size === 0 ? readSettings() : null))
  const settings = restored && query.size === 0 ? restored : fromQuery(query)

  useEffect(() => {
    if (!restored) return
    if (query.size > 0) setRestored(null)
    else setQuery(toQuery(restored), { replace: true, preventScrollReset: true })
  }, [restored, query, setQuery])

  const text = toQuery({ ...settings, page: 1 }).toString()
  useEffect(() => write(SETTINGS_KEY, text), [text])

  // Any change but the page's own begins at the first page again.
  const change = useCallback(
    (changed: Partial<SearchSettings>) => {
      setQuery((now) => toQuery({ ...fromQuery(now), page: 1, ...changed }), { preventScrollReset: true })
    },
    [setQuery],
  )
  const clear = useCallback(() => change({ name: '', author: '', gameMode: '', tags: [] }), [change])
  return { settings, change, clear }
}

// useMapView remembers whether maps are shown as cards or as a list.
export function useMapView(): [MapView, (view: MapView) => void] {
  const [view, setView] = useState<MapView>(() => (read(VIEW_KEY) === 'list' ? 'list' : 'cards'))
  useEffect(() => write(VIEW_KEY, view), [view])
  return [view, setView]
}

function readSettings(): SearchSettings | null {
  const kept = { ...fromQuery(new URLSearchParams(read(SETTINGS_KEY) ?? '')), page: defaultSettings.page }
  return toQuery(kept).size > 0 ? kept : null
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {
    // Without storage the settings last as long as the address.
  }
}
