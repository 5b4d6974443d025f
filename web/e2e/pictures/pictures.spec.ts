import { expect, type Locator, type Page, test } from '@playwright/test'
import {
  choose,
  expectNoOverflow,
  expectNoShift,
  expectRoomForTexts,
  leaderboardTable,
  type Mode,
  measureShift,
  painted,
  settled,
} from '../pages'
import { mapOf, recordOf } from './fixtures'
import { allShown, mockApi } from './mockApi'
import { pictures } from './pictures'

// Pages say how long ago something was. The times of the fixtures are of the days before.
const now = '2026-05-20T20:00:00Z'

const DARK: Mode[] = ['dark']
const PHONE = { width: 390, height: 844 }

for (const { name, path, scenario, loggedIn, modes = DARK } of pictures) {
  for (const mode of modes) {
    test(`${name} matches its picture, ${mode}, and longer sentences fit a phone`, async ({ page }) => {
      await page.clock.setFixedTime(now)
      await choose(page, mode)
      await mockApi(page, scenario, loggedIn)
      await page.goto(path)
      await allShown(page)
      await compare(page, `${name}-${mode}`)
      await page.setViewportSize(PHONE)
      await lengthen(page)
      await expectNoOverflow(page, name)
    })
  }
}

// German has the longest words.
const GERMAN = ['home', 'map-search', 'leaderboard', 'map-submit']
for (const { name, path, scenario, loggedIn } of pictures.filter(({ name }) => GERMAN.includes(name))) {
  test(`${name} matches its pictures in German, on a phone and on a laptop`, async ({ page }) => {
    await page.clock.setFixedTime(now)
    await choose(page, 'dark')
    await mockApi(page, scenario, loggedIn)
    await page.goto(path)
    await page.getByRole('combobox', { name: 'Language' }).selectOption('de')
    await expect(page.locator('html')).toHaveAttribute('lang', 'de')
    for (const viewport of [PHONE, { width: 1280, height: 800 }]) {
      await page.setViewportSize(viewport)
      await allShown(page)
      await compare(page, `${name}-de-${viewport.width}`)
      await expectNoOverflow(page, name)
    }
  })
}

const WIDTHS = [320, 390, 820, 1280, 1920]

const EXTREMES = ['leaderboard', 'record', 'player', 'compare']
for (const { name, path } of pictures.filter(({ name }) => EXTREMES.includes(name))) {
  for (const width of WIDTHS) {
    test(`${name} with extreme names and times matches its picture, ${width} pixels wide`, async ({ page }) => {
      await page.clock.setFixedTime(now)
      await page.setViewportSize({ width, height: 800 })
      await choose(page, 'dark')
      await mockApi(page, 'extremes')
      await page.goto(path)
      await allShown(page)
      await compare(page, `${name}-extremes-${width}`)
      await expectNoOverflow(page, name)
    })
  }
}

for (const { name, path, loggedIn } of pictures.filter(({ scenario }) => !scenario)) {
  test(`${name} has room for extreme names and times`, async ({ page }) => {
    await page.clock.setFixedTime(now)
    await mockApi(page, 'extremes', loggedIn)
    await page.goto(path)
    await allShown(page)
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 })
      await expectNoOverflow(page, `${width} px`)
      await expectRoomForTexts(page, `${width} px`)
    }
  })
}

for (const path of ['/login-with-bonk', '/privacy', '/no/such/page']) {
  test(`longer sentences of ${path} fit a phone`, async ({ page }) => {
    await page.setViewportSize(PHONE)
    await mockApi(page)
    await page.goto(path)
    await settled(page)
    await lengthen(page)
    await expectNoOverflow(page)
  })
}

for (const mode of ['dark', 'light'] as const) {
  test(`components match their picture, ${mode}`, async ({ page }) => {
    await choose(page, mode)
    await mockApi(page)
    await page.goto('/e2e/pictures/sheet.html')
    // Not settled: the sheet shows a button that loads, too.
    await page.getByRole('heading', { name: 'Components', exact: true }).waitFor()
    await page.evaluate(() => document.fonts.ready)
    await compare(page, `components-${mode}`)
  })
}

for (const path of ['/leaderboard/none', '/record/none', '/player/none', '/compare/none/nobody']) {
  test(`${path} does not shift when it is not found late`, async ({ page }) => {
    await measureShift(page)
    await mockApi(page, 'missing')
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 })
      const release = await hold(page, /\/api\/v1\/(maps|players|records)\//)
      await page.goto(path)
      await page.getByRole('main').waitFor()
      await painted(page)
      release()
      await page.getByText(/not found/i).waitFor()
      await painted(page)
      await expectNoShift(page, `${width} px`)
    }
  })
}

for (const language of ['en', 'de', 'es', 'pl']) {
  test(`the view of the map search stands beside the number of maps in a narrow window, ${language}`, async ({
    page,
  }) => {
    await page.setViewportSize({ width: 320, height: 800 })
    await mockApi(page)
    await page.goto('/map-search')
    await page.getByRole('combobox', { name: 'Language' }).selectOption(language)
    await expect(page.locator('html')).toHaveAttribute('lang', language)
    const middleOf = (locator: Locator) =>
      locator.evaluate((element) => {
        const { top, bottom } = element.getBoundingClientRect()
        return Math.round((top + bottom) / 2)
      })
    const count = page.getByRole('status').filter({ hasText: '140' })
    const view = page.getByRole('button', { pressed: true })
    expect(await middleOf(view)).toBe(await middleOf(count))
    await expectNoOverflow(page)
  })
}

test('toasts match their picture', async ({ page }) => {
  await choose(page, 'light')
  await mockApi(page)
  await page.goto('/e2e/pictures/sheet.html#toasts')
  // A pointer on a toast keeps all of them, and shows them beside each other.
  await page.getByText('Failed to submit record').hover()
  await page.evaluate(() => document.fonts.ready)
  await expect(page).toHaveScreenshot('toasts-light.png')
})

// Here, because the leaderboard of the mocked API has more than one page.
test('the own row below a page of the leaderboard is reached by keyboard', async ({ page }) => {
  await mockApi(page, 'full', true)
  await page.goto(`/leaderboard/${mapOf(0)._id}`)
  await settled(page)
  const rows = leaderboardTable(page).getByRole('row')
  await expect(rows).toHaveCount(12)
  const own = rows.last()
  await expect(own).toHaveAttribute('aria-current', 'true')
  await expect(own.getByRole('cell').first()).toHaveText('19')
  await expect(own).not.toBeInViewport()

  await rows.nth(10).getByRole('link').last().focus()
  for (const name of [/^cloudstep$/, /02:17\.87/, 'Download the replay of cloudstep']) {
    await page.keyboard.press('Tab')
    const link = own.getByRole('link', { name })
    await expect(link).toBeFocused()
    await expect(link).toBeInViewport({ ratio: 1 })
  }
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/record/${recordOf(18)._id}`)
})

async function compare(page: Page, name: string): Promise<void> {
  // The header is sticky, and the leaderboard scrolls to the highlighted record.
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
  await expect.soft(page).toHaveScreenshot(`${name}.png`, { fullPage: true })
}

// hold keeps the answers to requests back until the returned function is called.
async function hold(page: Page, requests: RegExp): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(requests, async (route) => {
    await released
    await route.fallback()
  })
  return release
}

// lengthen makes every text a third longer, as a translation may be.
async function lengthen(page: Page): Promise<void> {
  await page.evaluate(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      text.textContent = text.textContent?.replace(/[aeiou]/gi, '$&$&') ?? ''
    }
  })
}
