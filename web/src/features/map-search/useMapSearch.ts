import { useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { paths } from '@/routes/paths'
import { rememberQuery } from '@/ui/links'
import { fromQuery, type SearchSettings, storeSettings, toQuery } from './searchSettings'

/** The search settings of the address. The route's loader restores stored ones when the page is opened without any. */
export function useMapSearch() {
  const [address, setAddress] = useSearchParams()
  const { search } = useLocation()
  const settings = fromQuery(address)

  useEffect(() => {
    storeSettings(fromQuery(new URLSearchParams(search)))
    rememberQuery(paths.mapSearch, search)
  }, [search])

  // The newest settings, including those on their way into the address: one click can leave a field, which commits it,
  // and press a button before the page is rendered again.
  const newest = useRef(settings)
  useLayoutEffect(() => {
    newest.current = fromQuery(new URLSearchParams(search))
  }, [search])

  // Any change but that of the page begins at the first page.
  const change = (changed: Partial<SearchSettings>) => {
    newest.current = { ...newest.current, page: 1, ...changed }
    setAddress(toQuery(newest.current), { preventScrollReset: true })
  }
  return { settings, change }
}
