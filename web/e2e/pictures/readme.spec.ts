import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Page, test } from '@playwright/test'
import { recordSubmitted } from '../../src/entities/record/submission'
import { choose, type Mode, settled } from '../pages'
import { mapOf, playerRef, recordOf } from './fixtures'
import { mockApi } from './mockApi'

// Takes the pictures of the README anew: `npm run readme`.
test.skip(!process.env.README, 'takes pictures, and compares none')

const file = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url))
const picture = readFileSync(file('docs/samples/skyline-run.png'))

const submission = {
  record: { _id: recordOf(0)._id, map: mapOf(0)._id, player: playerRef(0)._id, finishTime: 41_267, medal: 'author' },
  rank: 1,
  personalBest: true,
  previousBest: 44_467,
  worldRecord: true,
  equalsWorldRecord: false,
  previousRank: 4,
  pointsBefore: { total: 1604.2, rank: 12 },
}

for (const mode of ['dark', 'light'] as const) {
  test(`the map page, ${mode}`, async ({ page }) => {
    await open(page, mode)
    await page.getByText('How to play this map').waitFor()
    await page
      .getByRole('img', { name: /The course/ })
      .first()
      .waitFor()
    await take(page, `map-${mode}`)
  })

  test(`the moment after a record, ${mode}`, async ({ page }) => {
    await open(page, mode)
    await page.evaluate(
      (usr) => history.replaceState({ ...history.state, usr }, ''),
      recordSubmitted(submission as never),
    )
    await page.reload()
    const moment = page.getByRole('region', { name: 'World record!' })
    await moment.getByRole('img', { name: /The course/ }).waitFor()
    await moment.getByRole('button', { name: 'Save picture' }).waitFor()
    await settled(page)
    await moment.evaluate((element) => element.scrollIntoView({ block: 'start', behavior: 'instant' }))
    await take(page, `moment-${mode}`)
  })
}

async function open(page: Page, mode: Mode): Promise<void> {
  await page.setViewportSize({ width: 1120, height: 860 })
  await page.clock.setFixedTime('2026-05-20T20:00:00Z')
  await choose(page, mode)
  await mockApi(page, 'full', true)
  await page.route('**/media/**', (route) => route.fulfill({ contentType: 'image/png', body: picture }))
  await page.goto(`/leaderboard/${mapOf(0)._id}`)
  await settled(page)
}

async function take(page: Page, name: string): Promise<void> {
  const path = file(`docs/pictures/${name}.jpg`)
  await page.screenshot({ path, type: 'jpeg', quality: 66, animations: 'disabled' })
}
