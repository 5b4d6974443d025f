import { expect, type Page } from '@playwright/test'

// The routes of the site, with ids of what the running site holds.
export async function everyRoute(page: Page): Promise<{ name: string; path: string }[]> {
  const first = async (path: string): Promise<string> => {
    const response = await page.request.get(`/api/v1${path}`)
    const { data } = await response.json()
    return data[0]?._id ?? 'none'
  }
  const run = await page.request.get('/api/v1/records?limit=1').then((response) => response.json())
  const map = run.data[0]?.map._id ?? (await first('/maps/search?limit=1'))
  const player = run.data[0]?.player._id ?? (await first('/players/search?limit=1'))
  return [
    { name: 'home', path: '/' },
    { name: 'map-search', path: '/map-search' },
    { name: 'map-search-none', path: '/map-search?name=no+such+map' },
    { name: 'player-search', path: '/player-search' },
    { name: 'player', path: `/player/${player}` },
    { name: 'player-missing', path: '/player/nobody' },
    { name: 'leaderboard', path: `/leaderboard/${map}` },
    { name: 'leaderboard-missing', path: '/leaderboard/nothing' },
    { name: 'login', path: '/login-with-bonk' },
    { name: 'map-series', path: '/mapSeries' },
    { name: 'events', path: '/events' },
    { name: 'privacy', path: '/privacy' },
    { name: 'not-found', path: '/no/such/page' },
  ]
}

export const modes = ['dark', 'light'] as const

// choose sets the colour mode of every page that is opened from now on.
export async function choose(page: Page, mode: (typeof modes)[number]): Promise<void> {
  await page.addInitScript((choice) => localStorage.setItem('capzone-colour-mode', choice), mode)
}

// settled waits until a page has drawn what it asked for, with its fonts and the pictures in view.
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor({ state: 'attached' })
  await expect(page.locator('[aria-busy=true], [role=status]:has-text("Loading")')).toHaveCount(0)
  await page.evaluate(() => document.fonts.ready)
}
