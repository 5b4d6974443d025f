import { expect, type Page, test } from '@playwright/test'
import { choose, modes, settled } from '../pages'
import { mapOf, playerOf, recordDetails, recordOf } from './fixtures'
import { mockApi, type Scenario } from './mockApi'

const map = mapOf(0)._id
const board = `/leaderboard/${map}`

interface Picture {
  name: string
  path: string
  scenario?: Scenario
  loggedIn?: boolean
}

const pictures: Picture[] = [
  { name: 'home', path: '/' },
  { name: 'home-failed', path: '/', scenario: 'failed' },
  { name: 'map-search', path: '/map-search?tags=city' },
  { name: 'map-search-empty', path: '/map-search?name=none', scenario: 'empty' },
  { name: 'leaderboard', path: `${board}?record=${recordOf(6)._id}`, loggedIn: true },
  { name: 'leaderboard-past-end', path: `${board}?page=99`, scenario: 'past-end' },
  { name: 'record', path: `/record/${recordDetails._id}` },
  { name: 'player-search', path: '/player-search' },
  { name: 'player', path: `/player/${playerOf(0)._id}` },
  { name: 'compare', path: `/compare/${playerOf(0)._id}/${playerOf(5)._id}` },
  { name: 'events', path: '/events' },
  { name: 'record-submit', path: `/replay-submit/${map}`, loggedIn: true },
  { name: 'map-submit', path: '/map-submit', loggedIn: true },
]

for (const mode of modes) {
  test(`pages match their pictures, ${mode}`, async ({ browser }) => {
    for (const { name, path, scenario, loggedIn } of pictures) {
      const page = await browser.newPage()
      await choose(page, mode)
      await mockApi(page, scenario, loggedIn)
      await page.goto(path)
      await settled(page)
      await compare(page, `${name}-${mode}`)
      await page.close()
    }
  })

  test(`components match their picture, ${mode}`, async ({ page }) => {
    await choose(page, mode)
    await mockApi(page)
    await page.goto('/e2e/pictures/sheet.html')
    // Not settled: the sheet shows a button that loads, too.
    await page.getByRole('heading', { name: 'Components', exact: true }).waitFor()
    await page.evaluate(() => document.fonts.ready)
    await compare(page, `components-${mode}`)
  })

  test(`toasts match their picture, ${mode}`, async ({ page }) => {
    await choose(page, mode)
    await mockApi(page)
    await page.goto('/e2e/pictures/sheet.html#toasts')
    // A pointer on a toast keeps all of them, and shows them beside each other.
    await page.getByText('Failed to submit record').hover()
    await page.evaluate(() => document.fonts.ready)
    await expect.soft(page).toHaveScreenshot(`toasts-${mode}.png`)
  })
}

async function compare(page: Page, name: string): Promise<void> {
  // The header is sticky, and the leaderboard scrolls to the highlighted record.
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
  await expect.soft(page).toHaveScreenshot(`${name}.png`, { fullPage: true })
}
