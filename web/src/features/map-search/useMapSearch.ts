import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { paths } from '@/routes/paths'
import { useAddress } from '@/ui/address'
import { rememberQuery } from '@/ui/links'
import { fromQuery, searchAddress, storeSettings } from './queries'

/** The search settings of the address. The route's loader restores stored ones when the page is opened without any. */
export function useMapSearch() {
  const [, change] = useAddress(searchAddress)
  const { search } = useLocation()
  useEffect(() => {
    storeSettings(fromQuery(new URLSearchParams(search)))
    rememberQuery(paths.mapSearch, search)
  }, [search])
  return { settings: fromQuery(new URLSearchParams(search)), change }
}
