import { expect, test } from '@playwright/test'
import { config } from '../../src/config'
import { choose, settled } from '../pages'
import { DATA } from './fixtures'
import { mockApi } from './mockApi'
import { type Picture, pictures } from './pictures'

const pages: Picture[] = [
  ...pictures,
  { name: 'login', path: '/login-with-bonk' },
  { name: 'privacy', path: '/privacy' },
  { name: 'not-found', path: '/no/such/page' },
]

// What the pages show besides sentences.
const data = [
  ...DATA,
  ...[config.siteName, config.slogan, config.game.name, config.contact, 'none', 'rain', 'A warning.'],
  ...['Bot', 'Overlay', 'receiver.example', 'https://receiver.example/hook', 'record', 'Skyline Run'],
  ...['curl -H "Authorization: Bearer $token" ', 'http://', '/api/v1/inbox/count'],
  ...['Nobody is that fast in the third room.', 'The inputs of the replay do not lead to its time.'],
]

// The pictures are for inspection, as those of screenshots.spec.ts.
test('sentences are in the catalogue, and longer ones fit a phone', async ({ browser }) => {
  for (const { name, path, scenario, loggedIn } of pages) {
    // High enough to show what is loaded when it comes into view.
    const page = await browser.newPage({ viewport: { width: 390, height: 3000 } })
    await choose(page, 'dark')
    await mockApi(page, scenario, loggedIn)
    await page.goto(path, { waitUntil: 'networkidle' })
    await settled(page)
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect.soft(wide, `overflow of ${name}`).toBeLessThanOrEqual(0)
    await page.screenshot({ path: `screenshots/pseudo-${name}.png` })
    expect.soft(await page.evaluate((data) => window.plainTexts(data), data), `plain texts of ${name}`).toEqual([])
    await page.close()
  }
})
