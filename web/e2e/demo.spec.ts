import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, type Page, test } from '@playwright/test'
import { leaderboardTable, settled } from './pages'
import { logInQuickly, submitReplay } from './person'

// In one worker, so that the site is filled once.
test.describe.configure({ mode: 'default' })

// The data of `make demo`, which comes after all tests that know what is on the site.
test.beforeAll(({ baseURL }) => {
  execFileSync('make', ['--silent', 'demo'], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: { ...process.env, PORT: new URL(baseURL ?? '').port },
    timeout: 240_000,
  })
})

const goals = (page: Page) => page.getByRole('table', { name: 'Next goals' })
const names = (page: Page) => goals(page).getByRole('link').allTextContents()

test('a player finds a goal on the home page, puts another aside, and reaches the goal', async ({ page }) => {
  const player = await activePlayer(page)
  await logInQuickly(page, player.name)
  await page.goto('/')
  await page.getByRole('heading', { name: 'Next Goals' }).scrollIntoViewIfNeeded()
  await expect(page.getByText('Where the next better medal or place is nearest.')).toBeVisible()
  await expect(goals(page).getByRole('link')).toHaveCount(5)
  const before = await names(page)

  await goals(page)
    .getByRole('button', { name: `Put ${before[0]} aside for a month` })
    .click()
  await expect(goals(page).getByRole('link').first()).toHaveText(before[1] ?? '')
  expect(await names(page)).not.toContain(before[0])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(goals(page).getByRole('link').first()).toHaveText(before[0] ?? '')
  expect(await names(page)).toEqual(before)

  const row = goals(page).getByRole('row').nth(1)
  const target = (await row.getByRole('cell').nth(2).innerText()).match(/\d\d:\d\d\.\d\d/)?.[0] ?? ''
  await row.getByRole('link').click()
  // The home page, which is shown until the leaderboard is loaded, has a link of that name without a map.
  await expect(page.getByRole('heading', { level: 1, name: before[0] })).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Submit Record' }).first().click()
  await expect(page).toHaveURL(/\/replay-submit\//)
  const map = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  const own = await finishTimes(page, player._id, map)
  await submitReplay(page, await fasterReplay(page, own.record, faster(target)))
  await expect(page.getByRole('region', { name: /New personal best|World record!/ })).toBeVisible()

  // The goal is no longer that one, and the profile has the new time.
  await page.goto('/')
  await page.getByRole('heading', { name: 'Next Goals' }).scrollIntoViewIfNeeded()
  await expect(goals(page)).toBeVisible()
  await expect(
    goals(page)
      .getByRole('row')
      .filter({ hasText: before[0] ?? '' })
      .filter({ hasText: target }),
  ).toHaveCount(0)
  expect((await finishTimes(page, player._id, map)).finishTime).toBeLessThan(own.finishTime)
  await page.goto(`/player/${player._id}`)
  await settled(page)
  await expect(page.getByRole('main')).toContainText(faster(target))
})

test('the own row is pinned below the first page, and is shown among those around it', async ({ page }) => {
  const { map, player, rank } = await placeOfSecondPage(page)
  await logInQuickly(page, player.name)
  await page.goto(`/leaderboard/${map}`)
  const rows = leaderboardTable(page).getByRole('row')
  await expect(rows).toHaveCount(12)
  const own = rows.last()
  await expect(own).toHaveAttribute('aria-current', 'true')
  await expect(own.getByRole('cell').first()).toHaveText(String(rank))
  await expect(own).toContainText('You')
  // The pinned row comes after the tenth.
  await rows.nth(10).getByRole('link').last().focus()
  await page.keyboard.press('Tab')
  await expect(own.getByRole('link', { name: player.name, exact: true })).toBeFocused()

  await page.getByRole('link', { name: 'Show my row' }).focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/leaderboard/${map}?around=me`)
  const current = leaderboardTable(page).getByRole('row').and(page.locator('[aria-current=true]'))
  await expect(current).toBeFocused()
  await expect(current.getByRole('cell').first()).toHaveText(String(rank))
  await expect(rows.nth(1).getByRole('cell').first()).toHaveText(String(rank - 5))
  await page.getByRole('link', { name: 'Whole leaderboard' }).focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/leaderboard/${map}`)
  await expect(rows.nth(1).getByRole('cell').first()).toHaveText('1')

  await page.setViewportSize({ width: 390, height: 844 })
  await own.scrollIntoViewIfNeeded()
  await expect(own.getByRole('cell').nth(2)).toBeInViewport({ ratio: 1 })
  await expect(own.getByRole('link').last()).toBeInViewport({ ratio: 1 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})

test('a visitor finds a map without a replay, and is led to submit it', async ({ page }) => {
  await page.goto('/map-search')
  await page.getByRole('link', { name: 'Maps without a replay' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Maps without a replay' })).toBeVisible()
  const table = page.getByRole('table', { name: 'Maps without a replay' })
  await expect(table).toContainText('Pebble Valley')
  await page.getByLabel('Map name').fill('stairs')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/map-search/listed?name=stairs')
  const row = table.getByRole('row').filter({ hasText: 'Cloud Stairs' })
  await expect(row).toContainText('cloudstep, riverfox')
  await expect(table).not.toContainText('Pebble Valley')
  await expect(row.getByRole('link', { name: 'bonk.io' })).toHaveAttribute('rel', /nofollow ugc/)
  await row.getByRole('link', { name: 'Submit its replay: Cloud Stairs' }).click()
  await expect(page).toHaveURL(/\/login-with-/)

  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/map-search/listed')
  await expect(table).toContainText('Cloud Stairs')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})

interface Player {
  _id: string
  name: string
  recordCount: number
}

// The player with the most records.
async function activePlayer(page: Page): Promise<Player> {
  const { data } = await (await page.request.get('/api/v1/players/search?limit=100')).json()
  return data.reduce((most: Player, player: Player) => (player.recordCount > most.recordCount ? player : most))
}

// The row in the middle of the second page of a leaderboard.
async function placeOfSecondPage(page: Page): Promise<{ map: string; player: Player; rank: number }> {
  const maps = await (await page.request.get('/api/v1/maps/search?limit=100')).json()
  for (const { _id: map } of maps.data) {
    const { data } = await (await page.request.get(`/api/v1/records?map=${map}&limit=1&offset=14`)).json()
    if (data.length > 0) return { map, player: data[0].player, rank: 15 }
  }
  throw new Error('no leaderboard has a second page')
}

// A player's personal best on a map.
async function finishTimes(page: Page, player: string, map: string): Promise<{ record: string; finishTime: number }> {
  const answer = await (await page.request.get(`/api/v1/records?map=${map}&around=${player}`)).json()
  const row = answer.data.find((record: { player: Player }) => record.player._id === player)
  return { record: row._id, finishTime: row.finishTime }
}

// A time a tenth of a second below that of a goal.
function faster(target: string): string {
  const [minutes = 0, seconds = 0] = target.split(':').map(Number)
  const left = minutes * 60 + seconds - 0.1
  return `${String(Math.floor(left / 60)).padStart(2, '0')}:${(left % 60).toFixed(2).padStart(5, '0')}`
}

// The replay of a record with a faster time, of now.
async function fasterReplay(page: Page, record: string, time: string) {
  const text = await (await page.request.get(`/api/v1/download/replays/${record}`)).text()
  return {
    name: 'run.lbReplay',
    mimeType: 'text/plain',
    buffer: Buffer.from(
      text
        .replace(/^Finish Time: .*$/m, `Finish Time: ${time}`)
        .replace(/^Timestamp: .*$/m, `Timestamp: ${new Date().toISOString()}`),
    ),
  }
}
