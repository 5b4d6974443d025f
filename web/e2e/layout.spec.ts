import type { Locator, Page } from '@playwright/test'
import { config } from '../src/config'
import { expect, test } from './fixtures'
import { choose, loadWhole, type Mode, settled } from './pages'

const MODES: Mode[] = ['dark', 'light']

for (const mode of MODES) {
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

test('map cards are in up to 6 columns', async ({ page, course: _ }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/map-search')
  await settled(page)
  const card = page.getByRole('article').first()
  const columns = () =>
    card.evaluate(
      ({ parentElement }) => parentElement && getComputedStyle(parentElement).gridTemplateColumns.split(' '),
    )
  await expect.poll(columns).toHaveLength(6)
})

test('the header has Submit Record on wide screens only', async ({ page, player: _ }) => {
  await page.goto('/')
  const button = page.getByRole('banner').getByRole('link', { name: 'Submit Record' })
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect(button).toBeVisible()
  await page.setViewportSize({ width: 360, height: 740 })
  await expect(button).toBeHidden()
})

test('the header ends where the page does, also 320 px wide', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 740 })
  await page.goto('/privacy')
  await settled(page)
  const end = (part: Locator) => part.evaluate((element) => element.getBoundingClientRect().right)
  const login = page.getByRole('banner').getByRole('link', { name: `Login with ${config.game.name}` })
  expect(await end(login)).toBeLessThanOrEqual((await end(page.getByRole('main'))) - 16)
})

const scrolled = (page: Page) => page.evaluate(() => scrollY)

test('going back restores the scroll position', async ({ page, course }) => {
  await page.setViewportSize({ width: 360, height: 500 })
  await page.goto(`/player/${course.author._id}`)
  await settled(page)
  await loadWhole(page)
  const link = page.getByRole('main').getByRole('link', { name: course.map.name }).first()
  // The click scrolls to what is clicked.
  await link.scrollIntoViewIfNeeded()
  await expect.poll(() => scrolled(page)).toBeGreaterThan(0)
  const place = await scrolled(page)
  await link.click()
  await expect(page.getByRole('heading', { level: 1, name: course.map.name })).toBeVisible()
  await expect.poll(() => scrolled(page)).toBe(0)
  await page.goBack()
  await settled(page)
  await expect.poll(() => scrolled(page)).toBe(place)
})

test('a page that is opened by its address begins at its top', async ({ page, course }) => {
  await page.setViewportSize({ width: 360, height: 500 })
  await page.goto(`/leaderboard/${course.map._id}`)
  await settled(page)
  await page.evaluate(() => scrollTo(0, 400))
  await page.goto('/map-search')
  await settled(page)
  await expect.poll(() => scrolled(page)).toBe(0)
})

// withoutApplication keeps a page as it is before its scripts and styles arrive.
const withoutApplication = (page: Page) =>
  page.route(/\/assets\/.*\.(css|js)/, () => {
    // It is never answered.
  })

test('header, hero, navigation and what the page is about are painted before scripts and styles', async ({ page }) => {
  await withoutApplication(page)
  await page.goto('/', { waitUntil: 'commit' })
  const site = page.getByRole('navigation', { name: 'Site' })
  await expect(site.getByRole('link', { name: 'Maps', exact: true })).toBeVisible()
  await expect(page.getByRole('banner').getByRole('link', { name: 'Capzone' })).toBeVisible()
  await expect(page.locator('.frame-hero')).toBeVisible()
  await expect(page.getByText(config.description)).toBeVisible()
  await expect(page.getByRole('status')).toHaveText('Loading authentication...')
  const painted = () => page.evaluate(() => performance.getEntriesByName('first-contentful-paint').length)
  await expect.poll(painted).toBe(1)
})

test('a phone shows the picture of a map before scripts and styles', async ({ page, course: { map, first } }) => {
  await withoutApplication(page)
  await page.setViewportSize({ width: 390, height: 844 })
  for (const path of [`/leaderboard/${map._id}`, `/record/${first._id}`]) {
    await page.goto(path, { waitUntil: 'commit' })
    const picture = page.locator('.frame-picture')
    await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0)
    expect(await picture.boundingBox()).toEqual({ x: 0, y: 56, width: 390, height: 272 })
    await expect(page.getByText(map.name)).toBeInViewport()
  }
})
