import { type LoaderFunctionArgs, redirect } from 'react-router'
import { api } from '@/api'
import { RECENT_MAPS, RECENT_RECORDS } from '@/features/home/queries'
import { leaderboardPage } from '@/features/leaderboard/queries'
import { fromQuery, toRequest } from '@/features/map-search/searchSettings'
import { restoreSettings } from '@/features/map-search/storedSettings'
import { playerMaps, playerRecords, playersPage } from '@/features/players/queries'
import type { AppStore } from '@/store/store'
import { pageOf } from '@/ui/pageOf'
import { paths } from './paths'

/**
 * Creates the loaders of the public pages. A loader starts its page's queries and does not wait for them: the page
 * shows their states itself.
 */
export function createLoaders(store: AppStore) {
  const prefetch: typeof api.util.prefetch = (endpoint, arg, options) => {
    const action = api.util.prefetch(endpoint, arg, options)
    store.dispatch(action)
    return action
  }
  return {
    home() {
      prefetch('getStats', undefined, {})
      prefetch('searchMaps', RECENT_MAPS, {})
      prefetch('listRecords', RECENT_RECORDS, {})
      return null
    },
    mapSearch({ request }: LoaderFunctionArgs) {
      const { searchParams } = new URL(request.url)
      const restored = restoreSettings(searchParams)
      if (restored) return redirect(`${paths.mapSearch}?${restored}`)
      prefetch('searchMaps', toRequest(fromQuery(searchParams)), {})
      return null
    },
    playerSearch({ request }: LoaderFunctionArgs) {
      prefetch('searchPlayers', playersPage(new URL(request.url).searchParams), {})
      return null
    },
    player({ params: { playerId = '' } }: LoaderFunctionArgs) {
      prefetch('getPlayer', { id: playerId }, {})
      prefetch('listRecords', playerRecords(playerId, 1), {})
      prefetch('searchMaps', playerMaps(playerId), {})
      return null
    },
    leaderboard({ params: { mapId = '' }, request }: LoaderFunctionArgs) {
      prefetch('getMap', { id: mapId }, {})
      prefetch('listRecords', leaderboardPage(mapId, pageOf(new URL(request.url).searchParams)), {})
      return null
    },
    record({ params: { recordId = '' } }: LoaderFunctionArgs) {
      prefetch('getRecord', { id: recordId }, {})
      prefetch('getRecordVerification', { id: recordId }, {})
      return null
    },
    recordSubmit({ params: { mapId } }: LoaderFunctionArgs) {
      if (mapId) prefetch('getMap', { id: mapId }, {})
      return null
    },
  }
}

export type Loaders = ReturnType<typeof createLoaders>
