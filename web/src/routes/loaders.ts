import { type LoaderFunctionArgs, redirect } from 'react-router'
import { api } from '@/api'
import { comparison, comparisonAddress } from '@/features/compare/queries'
import { NEWEST_WORLD_RECORDS, RECENT_MAPS, RECENT_RECORDS, TOP_OF_MONTH } from '@/features/home/queries'
import { leaderboardAddress, shownRows } from '@/features/leaderboard/queries'
import { fromQuery, isOwn, restoreSettings, toRequest } from '@/features/map-search/queries'
import { latestRecords, playersAddress, playersPage, rankingAround, tabAddress } from '@/features/players/queries'
import { selectSession } from '@/session/session'
import type { AppStore } from '@/store/store'
import { readAddress, type Settings } from '@/ui/address'
import { prepareFormats } from '@/ui/format'
import { nextTask } from '@/ui/nextTask'
import { paths } from './paths'

/** What a loader needs to know of a navigation, or of a link to prefetch. */
type Visit = Pick<LoaderFunctionArgs, 'params' | 'request'>

/** Returns what an address shows. */
const viewOf = <View extends object>(settings: Settings<View>, { url }: Request): View =>
  readAddress(settings, new URL(url).searchParams)

/**
 * Creates the loaders of the public pages. A loader starts its page's queries and does not wait for their answers: the
 * page shows their states itself.
 */
export function createLoaders(store: AppStore) {
  let started: Promise<unknown> = Promise.resolve()
  // Each in a task of its own: the first ones take long, and the browser can paint between them.
  const prefetch: typeof api.util.prefetch = (endpoint, arg, options) => {
    const action = api.util.prefetch(endpoint, arg, options)
    started = started.then(nextTask).then(() => store.dispatch(action))
    return action
  }
  const loaders = {
    home() {
      prefetch('getStats', undefined, {})
      prefetch('listWorldRecords', NEWEST_WORLD_RECORDS, {})
      prefetch('searchMaps', RECENT_MAPS, {})
      prefetch('listRankings', TOP_OF_MONTH, {})
      prefetch('listRecords', RECENT_RECORDS, {})
    },
    mapSearch({ request }: Visit) {
      const { searchParams } = new URL(request.url)
      const restored = restoreSettings(searchParams)
      if (restored) return redirect(`${paths.mapSearch}?${restored}`)
      const settings = fromQuery(searchParams)
      // Whether there is a login may not be known yet.
      if (!isOwn(settings) || selectSession(store.getState())) prefetch('searchMaps', toRequest(settings), {})
      return null
    },
    playerSearch({ request }: Visit) {
      prefetch('searchPlayers', playersPage(viewOf(playersAddress, request)), {})
    },
    player({ params: { playerId = '' }, request }: Visit) {
      prefetch('getPlayer', { id: playerId }, {})
      prefetch('listRankings', rankingAround(playerId), {})
      prefetch('getPlayerStatistics', { id: playerId }, {})
      if (viewOf(tabAddress, request).tab === 'overview') {
        prefetch('listRecords', latestRecords(playerId), {})
      }
    },
    compare({ params: { playerId = '', opponentId = '' }, request }: Visit) {
      prefetch('comparePlayers', comparison(playerId, opponentId, viewOf(comparisonAddress, request)), {})
    },
    leaderboard({ params: { mapId = '' }, request }: Visit) {
      prefetch('getMap', { id: mapId }, {})
      // The player whose session this tab stored is known before the session is checked.
      const view = viewOf(leaderboardAddress, request)
      prefetch('listRecords', shownRows(mapId, view, store.getState().session.user), {})
    },
    record({ params: { recordId = '' } }: Visit) {
      prefetch('getRecord', { id: recordId }, {})
      prefetch('getRecordVerification', { id: recordId }, {})
    },
    recordSubmit({ params: { mapId } }: Visit) {
      if (mapId) prefetch('getMap', { id: mapId }, {})
    },
  }
  let formats: Promise<void> | undefined
  return mapValues(loaders, (load: (visit: Visit) => unknown) => async (visit: Visit) => {
    const result = load(visit)
    await started
    formats ??= prepareFormats()
    await formats
    return result ?? null
  })
}

const mapValues = <Key extends string, Value, Result>(object: Record<Key, Value>, change: (value: Value) => Result) =>
  Object.fromEntries(Object.entries<Value>(object).map(([key, value]) => [key, change(value)])) as Record<Key, Result>

export type Loaders = ReturnType<typeof createLoaders>
