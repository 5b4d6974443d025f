import { expect, type Page } from '@playwright/test'
import { logInQuickly, submitReplay } from './person'

/** Returns the routes that visitors may open, with ids of the running site's data. */
export async function everyRoute(page: Page): Promise<{ name: string; path: string }[]> {
  const first = async (path: string): Promise<string> => {
    const response = await page.request.get(`/api/v1${path}`)
    const { data } = await response.json()
    return data[0]?._id ?? 'none'
  }
  const records = await page.request.get('/api/v1/records?limit=1').then((response) => response.json())
  const map = records.data[0]?.map._id ?? (await first('/maps/search?limit=1'))
  const player = records.data[0]?.player._id ?? (await first('/players/search?limit=1'))
  return [
    { name: 'home', path: '/' },
    { name: 'map-search', path: '/map-search' },
    { name: 'map-search-none', path: '/map-search?name=no+such+map' },
    { name: 'listed-maps', path: '/map-search/listed' },
    { name: 'player-search', path: '/player-search' },
    { name: 'rankings', path: '/rankings' },
    { name: 'rankings-month', path: '/rankings?by=finished&period=month' },
    { name: 'formula', path: '/rankings/formula' },
    { name: 'player', path: `/player/${player}` },
    { name: 'player-missing', path: '/player/nobody' },
    { name: 'leaderboard', path: `/leaderboard/${map}` },
    { name: 'leaderboard-missing', path: '/leaderboard/nothing' },
    { name: 'record', path: `/record/${records.data[0]?._id ?? 'none'}` },
    { name: 'record-missing', path: '/record/nothing' },
    { name: 'login', path: '/login-with-bonk' },
    { name: 'map-series', path: '/mapSeries' },
    { name: 'events', path: '/events' },
    { name: 'moderation', path: '/moderation' },
    { name: 'privacy', path: '/privacy' },
    { name: 'not-found', path: '/no/such/page' },
  ]
}

/** Returns the routes that need a login. */
export async function playerRoutes(page: Page): Promise<{ name: string; path: string }[]> {
  const { data } = await (await page.request.get('/api/v1/maps/search?limit=1')).json()
  return [
    { name: 'map-submit', path: '/map-submit' },
    { name: 'replay-submit', path: '/replay-submit' },
    { name: 'replay-submit-map', path: `/replay-submit/${data[0]?._id}` },
    { name: 'inbox', path: '/inbox' },
    { name: 'following', path: '/inbox/following' },
    { name: 'decisions', path: '/decisions' },
    { name: 'settings', path: '/settings' },
    { name: 'settings-notifications', path: '/settings/notifications' },
    { name: 'settings-tokens', path: '/settings/tokens' },
    { name: 'settings-webhooks', path: '/settings/webhooks' },
    { name: 'settings-data', path: '/settings/data' },
    { name: 'replay-submit-missing', path: '/replay-submit/nothing' },
  ]
}

export const modes = ['dark', 'light'] as const

/** Sets the colour mode of every page that is opened from now on. */
export async function choose(page: Page, mode: (typeof modes)[number]): Promise<void> {
  await page.addInitScript((choice) => localStorage.setItem('capzone-colour-mode', choice), mode)
}

/** Waits until a page shows its data, with its fonts. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor({ state: 'attached' })
  await expect(page.locator('[aria-busy=true], [role=status]:has-text("Loading")')).toHaveCount(0)
  await page.evaluate(() => document.fonts.ready)
}

/** Scrolls to each part of a settled page that is loaded when the visitor comes near, and back to the beginning. */
export async function loadWhole(page: Page): Promise<void> {
  const far = page.locator('[data-near=false]')
  for (let left = await far.count(); left > 0; left = await far.count()) {
    await far.first().scrollIntoViewIfNeeded()
    await expect.poll(() => far.count()).toBeLessThan(left)
    await settled(page)
  }
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
}

/** Submits a record to a mocked server and waits for the result on the leaderboard. */
export async function showResult(page: Page): Promise<void> {
  await logInQuickly(page, 'mossfoot')
  const search = await (await page.request.get('/api/v1/records?limit=1&sortBy=updatedAt&sortDir=desc')).json()
  const [record] = search.data
  const { _id, finishTime, medal, map, player } = record
  await page.route('**/api/v1/records/submit', (route) =>
    route.fulfill({
      json: {
        success: true,
        data: {
          record: { _id, finishTime, medal, map: map._id, player: player._id },
          rank: 1,
          personalBest: true,
          previousBest: finishTime + 2000,
          worldRecord: true,
        },
      },
    }),
  )
  await page.goto('/replay-submit')
  await settled(page)
  await submitReplay(page, 'skyline-run-mossfoot.lbReplay')
  await expect(page.getByRole('region', { name: 'World record!' })).toBeVisible()
  await settled(page)
}

/** The table of a leaderboard, beside which the page has that of the world record's history. */
export const leaderboardTable = (page: Page) => page.getByRole('table', { name: 'Leaderboard' })
