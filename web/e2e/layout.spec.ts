import { expect, test } from '@playwright/test'
import { choose, everyRoute, modes, playerRoutes, settled } from './pages'
import { logInQuickly } from './person'

// A window of 1280 px at a zoom of 400 % is 320 px wide.
const widths = [320, 1440]

for (const width of widths) {
  test(`layout shift is at most 0.02 and nothing overflows, ${width} px wide`, async ({ page }) => {
    await page.setViewportSize({ width, height: 760 })
    // The shift without input, as browsers measure it.
    await page.addInitScript(() => {
      Object.assign(window, { shift: 0 })
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & {
          value: number
          hadRecentInput: boolean
        })[]) {
          if (!entry.hadRecentInput) Object.assign(window, { shift: Reflect.get(window, 'shift') + entry.value })
        }
      }).observe({ type: 'layout-shift', buffered: true })
    })
    const check = async ({ name, path }: { name: string; path: string }) => {
      await page.goto(path)
      await settled(page)
      const { shift, wide } = await page.evaluate(() => ({
        shift: Reflect.get(window, 'shift') as number,
        wide: document.documentElement.scrollWidth - innerWidth,
      }))
      expect.soft(shift, `layout shift of ${name}`).toBeLessThanOrEqual(0.02)
      expect.soft(wide, `overflow of ${name}`).toBeLessThanOrEqual(0)
    }
    for (const route of await everyRoute(page)) await check(route)
    await logInQuickly(page, 'mossfoot')
    for (const route of await playerRoutes(page)) await check(route)
  })
}

for (const mode of modes) {
  test(`the page is ${mode} before its code is loaded`, async ({ page }) => {
    await choose(page, mode)
    await page.route('**/assets/*.js', (route) => route.abort())
    await page.goto('/', { waitUntil: 'domcontentloaded' })
    await expect(page.locator('html')).toHaveClass(mode)
    await expect(page.locator('html')).toHaveCSS(
      'background-color',
      mode === 'dark' ? 'rgb(14, 21, 27)' : 'rgb(250, 248, 243)',
    )
  })
}

test('map cards are in up to 6 columns', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/map-search')
  await settled(page)
  const columns = await page
    .getByRole('article')
    .first()
    .evaluate((card) => getComputedStyle(card.parentElement as Element).gridTemplateColumns.split(' ').length)
  expect(columns).toBe(6)
})

test('the header has Submit Record on wide screens only', async ({ page }) => {
  await logInQuickly(page, 'mossfoot')
  await page.goto('/')
  const button = page.getByRole('banner').getByRole('link', { name: 'Submit Record' })
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect(button).toBeVisible()
  await page.setViewportSize({ width: 360, height: 740 })
  await expect(button).toBeHidden()
})

test('going back restores the scroll position', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 500 })
  await page.goto('/player-search')
  await settled(page)
  await page.evaluate(() => scrollTo(0, 400))
  // The click scrolls to what is clicked.
  await page
    .getByRole('link', { name: /View Profile/ })
    .last()
    .scrollIntoViewIfNeeded()
  const place = await page.evaluate(() => scrollY)
  expect(place).toBeGreaterThan(0)
  await page
    .getByRole('link', { name: /View Profile/ })
    .last()
    .click()
  await page.getByRole('link', { name: 'Back to Players' }).waitFor()
  const left = await page.evaluate(() => scrollY)
  expect(left).toBe(0)
  await page.goBack()
  await settled(page)
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(place)
})

test('a page that is opened by its address begins at its top', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 500 })
  await page.goto('/player-search')
  await settled(page)
  await page.evaluate(() => scrollTo(0, 400))
  await page.goto('/map-search')
  await settled(page)
  expect(await page.evaluate(() => scrollY)).toBe(0)
})
