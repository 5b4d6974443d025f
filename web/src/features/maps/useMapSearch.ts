import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { ofBrowser, readStored, store } from '@/shared/lib/storage'
import { defaultSettings, fromQuery, type SearchSettings, toQuery } from './searchSettings'

export type MapView = 'cards' | 'list'

const SETTINGS_KEY = 'capzone-map-search'
const VIEW_KEY = 'capzone-map-view'

// useMapSearch keeps the search settings in the address, so that they can be linked to and gone back to, and in the
// browser's storage, for the next visit. What an address says wins over what was stored.
export function useMapSearch() {
  const [address, setAddress] = useSearchParams()
  // What others put into an address, such as where a link was found, is no setting.
  const query = toQuery(fromQuery(address))
  // Restored once, when the page opens without settings of its own; an empty address later means no filters.
  const [restored, setRestored] = useState(() => (query.size === 0 ? readSettings() : null))
  const settings = restored && query.size === 0 ? restored : fromQuery(address)
  const given = query.size > 0

  useEffect(() => {
    if (!restored) return
    if (given) setRestored(null)
    else setAddress(toQuery(restored), { replace: true, preventScrollReset: true })
  }, [restored, given, setAddress])

  const text = toQuery({ ...settings, page: 1 }).toString()
  useEffect(() => {
    store(ofBrowser, SETTINGS_KEY, text)
  }, [text])

  // The newest settings, also those that are on their way into the address: one touch can leave a field, which commits
  // it, and press a button, before the page is drawn again.
  const newest = useRef(settings)
  const current = toQuery(settings).toString()
  useLayoutEffect(() => {
    newest.current = fromQuery(new URLSearchParams(current))
  }, [current])

  // Any change but the page's own begins at the first page again.
  const change = useCallback(
    (changed: Partial<SearchSettings>) => {
      newest.current = { ...newest.current, page: 1, ...changed }
      setAddress(toQuery(newest.current), { preventScrollReset: true })
    },
    [setAddress],
  )
  const clear = useCallback(() => change({ name: '', author: '', gameMode: '', tags: [] }), [change])
  return { settings, change, clear }
}

// useMapView remembers whether maps are shown as cards or as a list.
export function useMapView(): [MapView, (view: MapView) => void] {
  const [view, setView] = useState<MapView>(() =>
    readStored(ofBrowser, VIEW_KEY) === 'list' ? 'list' : 'cards',
  )
  useEffect(() => {
    store(ofBrowser, VIEW_KEY, view)
  }, [view])
  return [view, setView]
}

function readSettings(): SearchSettings | null {
  const kept = {
    ...fromQuery(new URLSearchParams(readStored(ofBrowser, SETTINGS_KEY) ?? '')),
    page: defaultSettings.page,
  }
  return toQuery(kept).size > 0 ? kept : null
}
