import { expect, type Page } from '@playwright/test'
import axe from 'axe-core'
import type { Course } from './fixtures'
import { type replay, sample } from './replays'

/** The pages that visitors may open, by name. */
export const visitorRoutes: Record<string, (course: Course) => string> = {
  home: () => '/',
  'map-search': () => '/map-search',
  'map-search-none': () => '/map-search?name=no+such+map',
  'listed-maps': () => '/map-search/listed',
  'player-search': () => '/player-search',
  rankings: () => '/rankings',
  'rankings-month': () => '/rankings?by=finished&period=month',
  formula: () => '/rankings/formula',
  player: ({ improved }) => `/player/${improved.player._id}`,
  'player-missing': () => '/player/nobody',
  compare: ({ improved, last }) => `/compare/${improved.player._id}/${last.player._id}`,
  leaderboard: ({ map }) => `/leaderboard/${map._id}`,
  'leaderboard-missing': () => '/leaderboard/nothing',
  record: ({ improved }) => `/record/${improved._id}`,
  'record-missing': () => '/record/nothing',
  login: () => '/login-with-bonk',
  'map-series': () => '/mapSeries',
  events: () => '/events',
  moderation: () => '/moderation',
  programs: () => '/programs',
  privacy: () => '/privacy',
  'not-found': () => '/no/such/page',
}

/** The pages that need a login, by name. */
export const playerRoutes: Record<string, (course: Course) => string> = {
  'map-submit': () => '/map-submit',
  'replay-submit': () => '/replay-submit',
  'replay-submit-map': ({ map }) => `/replay-submit/${map._id}`,
  'replay-submit-missing': () => '/replay-submit/nothing',
  inbox: () => '/inbox',
  following: () => '/inbox/following',
  decisions: () => '/decisions',
  settings: () => '/settings',
  'settings-notifications': () => '/settings/notifications',
  'settings-tokens': () => '/settings/tokens',
  'settings-webhooks': () => '/settings/webhooks',
  'settings-data': () => '/settings/data',
}

export type Mode = 'dark' | 'light'

/** Sets the colour mode of every page that is opened from now on. */
export async function choose(page: Page, mode: Mode): Promise<void> {
  await page.addInitScript((choice) => localStorage.setItem('capzone-colour-mode', choice), mode)
}

/** Waits until a page shows its data, with its fonts. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor({ state: 'attached' })
  await expect(page.locator('[aria-busy=true], [role=status]:has-text("Loading")')).toHaveCount(0)
  await page.evaluate(() => document.fonts.ready)
}

/** Scrolls to each part that is loaded when the visitor comes near, until none is left, and back to the beginning. */
export async function loadWhole(page: Page): Promise<void> {
  await expect(async () => {
    await settled(page)
    const left = await page.evaluate(() => {
      const far = document.querySelectorAll('[data-near=false]')
      far[0]?.scrollIntoView({ block: 'center', behavior: 'instant' })
      return far.length
    })
    expect(left).toBe(0)
  }).toPass({ intervals: [50], timeout: 30_000 })
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
}

/**
 * Expects that axe finds nothing on a page in the dark mode, and no contrast that is too low in the light one. It looks
 * again where it finds something: a dialog hides the page behind it a moment before it is shown itself.
 */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  const { poll } = expect.configure({ soft: true })
  await poll(() => problems(page), name).toEqual([])
  await setMode(page, 'light')
  await poll(() => problems(page, 'color-contrast'), `${name}, light`).toEqual([])
  await setMode(page, 'dark')
}

// setMode changes the mode of a shown page as its button does, which a dialog may cover.
async function setMode(page: Page, mode: Mode): Promise<void> {
  await page.evaluate((name) => {
    document.documentElement.classList.remove('dark', 'light')
    document.documentElement.classList.add(name)
  }, mode)
}

async function problems(page: Page, rule?: string): Promise<string[]> {
  // What is half below the sticky header would be too small a target.
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
  const options: axe.RunOptions = {
    runOnly: rule ? { type: 'rule', values: [rule] } : { type: 'tag', values: tags },
    resultTypes: ['violations'],
  }
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const analyze = (chosen: axe.RunOptions) => (Reflect.get(window, 'axe') as typeof axe).run(chosen)
  const { violations } = await page.evaluate(analyze, options)
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`)
}

/** Waits until the browser has painted a page as it is. */
export async function painted(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
}

/** Measures the shift without input of every page that is opened from now on, as browsers do. */
export async function measureShift(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Object.assign(window, { shift: 0 })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
        if (!entry.hadRecentInput) Object.assign(window, { shift: Reflect.get(window, 'shift') + entry.value })
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

/** Expects that a page has hardly shifted since it was opened. */
export async function expectNoShift(page: Page, name = page.url()): Promise<void> {
  const shift = await page.evaluate(() => Reflect.get(window, 'shift') as number)
  expect.soft(shift, `layout shift of ${name}`).toBeLessThanOrEqual(0.02)
}

/** Expects that a page is not wider than the window. */
export async function expectNoOverflow(page: Page, name = page.url()): Promise<void> {
  await expect
    .configure({ soft: true })
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth), `overflow of ${name}`)
    .toBeLessThanOrEqual(0)
}

/** Expects that no text of a page is in a column of a few letters. */
export async function expectRoomForTexts(page: Page, name = page.url()): Promise<void> {
  const squeezed = () =>
    page.evaluate(() => {
      const found: (string | null)[] = []
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      const range = document.createRange()
      for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        range.selectNodeContents(text)
        const lines = new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top))).size
        if (lines > 3 && (text.textContent ?? '').trim().length < 6 * lines) found.push(text.textContent)
      }
      return found
    })
  await expect.configure({ soft: true }).poll(squeezed, `squeezed texts of ${name}`).toEqual([])
}

/** The table of a leaderboard, beside which the page has that of the world record's history. */
export const leaderboardTable = (page: Page) => page.getByRole('table', { name: 'Leaderboard' })

type Replay = ReturnType<typeof replay>

/** Chooses a replay on the record page and submits it when it has been read. */
export async function submitReplay(page: Page, file: Replay): Promise<void> {
  await page.getByLabel('Replay (.lbReplay)').setInputFiles(file)
  await expect(page.getByRole('region', { name: 'Replay info' })).toContainText(file.finishTime)
  await page.getByRole('form').getByRole('button', { name: 'Submit Record' }).click()
}

/** Chooses the files of a map on its form. */
export async function chooseMapFiles(page: Page, file: Replay): Promise<void> {
  await page.getByLabel('Replay (.lbReplay)').setInputFiles(file)
  await page.getByLabel('Map image (.webp)').setInputFiles(sample('skyline-run.png'))
}

/** Goes from the login page to the game's room and returns the code that the bot sends there. */
export async function joinRoom(page: Page, name: string, link = 'Join Verification Room'): Promise<string> {
  const popup = page.waitForEvent('popup')
  await page.getByRole('link', { name: link }).click()
  const room = await popup
  await room.getByLabel('Name in the game').fill(name)
  await room.getByRole('button', { name: 'Join' }).click()
  const code = (await room.locator('.code').first().textContent()) ?? ''
  await page.bringToFront()
  return code
}
