import { expect, type Page, type Route } from '@playwright/test'
import { aRanking, mapPoints } from '../../src/test/fixtures'
import { aDelivery, aToken, aWebhook } from '../../src/test/settingsFixtures'
import { loadWhole, painted } from '../pages'
import { withExtremes } from './extremes'
import {
  caseOf,
  comparison,
  deskCase,
  goals,
  groups,
  historyOf,
  id,
  improvedOf,
  mapOf,
  playerOf,
  playerRef,
  points,
  pointsDays,
  precision,
  progressOf,
  rankingRowOf,
  recordDetails,
  recordEffects,
  recordOf,
  settings,
  statistics,
  verification,
  versions,
} from './fixtures'

/**
 * What every list of the mocked API does; with `extremes` it has the names and times of extremes.ts, with `missing` no
 * map, player or record is found.
 */
export type Scenario = 'full' | 'empty' | 'failed' | 'loading' | 'past-end' | 'extremes' | 'missing'

const deliveries = [
  aDelivery({ _id: id('d', 1) }),
  aDelivery({ _id: id('d', 2), state: 'failed', status: 500, failure: 'status', tries: 10 }),
  aDelivery({
    _id: id('d', 3),
    state: 'waiting',
    status: null,
    failure: 'unreachable',
    tries: 2,
    nextTryAt: '2999-05-11T20:05:00.000Z',
  }),
]

const picture = (hue: number) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 320"><rect width="480" height="320" fill="hsl(${hue} 35% 30%)"/><path d="M0 250h160v-60h120v40h200v90H0z" fill="hsl(${hue} 45% 55%)"/><circle cx="120" cy="210" r="26" fill="#ffb84d"/></svg>`

// How many answers each page has asked for, and how many it has had.
const requests = new WeakMap<Page, { asked: number; answered: number }>()

/** Answers the site's requests with fixed data, so that pictures of its pages can be compared. */
export async function mockApi(page: Page, scenario: Scenario = 'full', loggedIn = false): Promise<void> {
  const user = { ...playerRef(0), level: 57, roles: ['admin'] }
  await page.route('**/media/**', (route) => {
    const hue = (Number(/(\d+)[.-]/.exec(route.request().url())?.[1] ?? 0) * 67) % 360
    return route.fulfill({ contentType: 'image/svg+xml', body: picture(hue) })
  })
  await page.route('**/healthz', (route) => route.fulfill({ body: 'ok' }))
  const count = { asked: 0, answered: 0 }
  requests.set(page, count)
  await page.route('**/api/v1/**', async (route) => {
    count.asked++
    await answer(route, scenario, loggedIn ? user : null)
    count.answered++
  })
}

/** Waits until a page of the mocked API is loaded whole and shows every answer, also to what it asks for later. */
export async function allShown(page: Page): Promise<void> {
  await expect(async () => {
    const asked = requests.get(page)?.asked
    await loadWhole(page)
    await painted(page)
    expect(requests.get(page)).toEqual({ asked, answered: asked })
  }).toPass({ intervals: [20] })
}

async function answer(route: Route, scenario: Scenario, user: object | null): Promise<void> {
  const url = new URL(route.request().url())
  const path = url.pathname.replace('/api/v1', '')
  const ok = (data: unknown, more: object = {}) => {
    const json = { success: true, data, ...more }
    return route.fulfill({ json: scenario === 'extremes' ? withExtremes(json) : json })
  }
  const list = async (item: (i: number) => unknown, shown: number, total: number) => {
    if (scenario === 'loading') return
    if (scenario === 'failed') {
      const json = {
        success: false,
        code: 'unavailable',
        message: 'The service is not available.',
        requestId: '1',
      }
      return route.fulfill({ status: 503, json })
    }
    const empty = scenario === 'empty' || scenario === 'past-end'
    const found = scenario === 'empty' ? 0 : total
    const limit = Number(url.searchParams.get('limit') ?? 10)
    return ok(empty ? [] : Array.from({ length: Math.min(shown, limit) }, (_, i) => item(i)), {
      pagination: { total: found, page: 1, limit, offset: 0, pages: Math.ceil(found / limit) },
    })
  }
  if (scenario === 'missing' && /^\/(maps|players|records)\/[^/]+$|\/compare\//.test(path)) return notFound(route)
  if (path === '/auth/refresh-token') {
    return route.fulfill({
      json: user ? { success: true, accessToken: 'token', user } : { success: false, code: 'refresh_missing' },
    })
  }
  if (path === '/auth/request-room-link') {
    return route.fulfill({
      json: { success: true, roomLink: 'https://bonk.io/123', sessionId: id('c', 1), expiresIn: 180 },
    })
  }
  if (path === '/auth/status') {
    const status = { status: 'code_provided', message: 'The code is in the chat of the room.' }
    return route.fulfill({ json: { success: true, status, expiresIn: 120 } })
  }
  if (path === '/inbox/count') return ok({ unread: 3 })
  if (path === '/inbox') return ok(groups, { pagination: { limit: 20, next: null } })
  if (path === '/inbox/settings') return ok(settings)
  if (path === '/tokens') return ok([aToken(), aToken({ _id: id('b', 2), name: 'Overlay', lastUsedOn: null })])
  if (path === '/webhooks') return ok([aWebhook(), aWebhook({ _id: id('e', 2), enabled: false, offReason: 'gone' })])
  if (path.endsWith('/deliveries')) return ok(deliveries)
  if (path.startsWith('/webhooks/')) return ok(aWebhook())
  if (path === '/me/account') return ok({ language: null })
  if (path === '/me/deletion') return ok({ scheduledFor: null, requestedAt: null })
  if (path === '/follows') {
    return ok({ players: [1, 2].map(playerRef), maps: [0, 1].map((i) => ({ _id: id('a', i), name: mapOf(i).name })) })
  }
  if (path.startsWith('/follows/')) return ok({ following: false })
  if (path === '/desk/cases') return list(caseOf, 9, 9)
  if (path.startsWith('/desk/cases/')) return ok(deskCase)
  if (path === '/desk/flags/precision') return ok(precision)
  if (path.startsWith('/moderation/records/')) return ok({ beingLookedAt: false })
  if (path.endsWith('/effects')) return ok(recordEffects)
  if (path === '/stats') return ok({ totalMaps: 1204, totalPlayers: 318, totalRecords: 20_418 })
  if (path === '/maps/popular-tags') return ok(['city', 'tricky', 'long', 'night', 'short'])
  if (path === '/maps/search') return list(mapOf, 12, 140)
  if (path === '/players/search') return list(playerOf, 12, 40)
  // The visitor's own row is on the second page of a leaderboard.
  if (path === '/records' && url.searchParams.has('map') && url.searchParams.has('player')) {
    return list(() => recordOf(18), 1, 1)
  }
  if (path === '/records') return list(recordOf, 10, 36)
  if (path === '/records/world-records') {
    return list(
      (i) => ({ ...recordOf(i), mapPictureUrl: mapOf(i).pictureUrl, previousWorldRecord: 42_000 + i * 5000 }),
      5,
      5,
    )
  }
  if (path === '/records/starters')
    return ok(goals.map((goal) => ({ ...goal, best: null, gap: null, relativeGap: null })))
  if (path === '/records/goals') return ok({ kind: 'goals', goals })
  if (path === '/records/progress') return ok((url.searchParams.get('maps') ?? '').split(',').map(progressOf))
  if (path === '/rankings') {
    const around = url.searchParams.has('around')
    return route.fulfill({
      json: aRanking(
        Array.from({ length: Math.min(6, Number(url.searchParams.get('limit') ?? 6)) }, (_, i) => rankingRowOf(i)),
        {
          periodUntil: url.searchParams.has('period', 'month') ? '2026-06-01T00:00:00.000Z' : null,
          pagination: { total: 131, page: 1, limit: 25, pages: around ? 1 : 6, offset: 0 },
        },
      ),
    })
  }
  if (path.startsWith('/maps/') && path.endsWith('/points')) return ok(mapPoints())
  if (path.endsWith('/points')) return ok(points, { pagination: { total: 5, offset: 0, limit: 20 } })
  if (path.endsWith('/points/history')) return ok(pointsDays)
  if (path.endsWith('/versions')) return ok(versions)
  if (path.endsWith('/history')) return ok(historyOf(6))
  if (path.endsWith('/verification')) return ok(verification)
  if (path.startsWith('/records/')) return ok(recordDetails)
  if (path.startsWith('/maps/')) return ok(mapOf(0))
  if (path.endsWith('/statistics')) return ok(statistics)
  if (path.endsWith('/improvements')) return list(improvedOf, 5, 12)
  if (path.includes('/compare/')) return ok(comparison, { pagination: { total: 23, offset: 0, limit: 20 } })
  if (path.startsWith('/players/')) return ok(playerOf(0))
  return notFound(route)
}

const notFound = (route: Route) =>
  route.fulfill({ status: 404, json: { success: false, code: 'unknown', message: '', requestId: '1' } })
