import { type Browser, expect, type Page, test } from '@playwright/test'
import { leaderboardTable, settled } from './pages'
import { logInQuickly, replayOf, submitReplay } from './person'

// The stream is opened some seconds after the first page; what is told later arrives within two seconds.
const OPENED_WITHIN_MS = 15_000
const NEWS_WITHIN_MS = 2000

// openAs is a browser of its own in which a player is logged in, with the home page.
async function openAs(browser: Browser, name: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  await logInQuickly(page, name)
  await openLive(page, '/')
  return page
}

// openLive opens a page and waits until it reads the stream of events.
async function openLive(page: Page, path: string): Promise<void> {
  await page.goto(path)
  // From here on, because the page before may open its stream while it is left.
  const stream = page.waitForResponse((response) => new URL(response.url()).pathname === '/api/v1/events', {
    timeout: OPENED_WITHIN_MS,
  })
  await settled(page)
  expect((await stream).ok()).toBe(true)
}

async function submit(page: Page, name: string, finishTime: string, timestamp: string): Promise<void> {
  await page.goto('/replay-submit')
  await settled(page)
  await submitReplay(page, replayOf(name, finishTime, timestamp))
  await expect(page).toHaveURL(/\/leaderboard\//)
}

const emptyBell = (page: Page) => page.getByRole('button', { name: 'Inbox', exact: true })
const bell = (page: Page) => page.getByRole('button', { name: /^Inbox, \d+ unread$/ })

test('a player hears within two seconds who has taken their record', async ({ browser }) => {
  const loser = await openAs(browser, 'emberfox')
  await submit(loser, 'emberfox', '00:30.10', '2026-03-01T10:00:00.000Z')
  const leaderboard = new URL(loser.url()).pathname
  const winner = await openAs(browser, 'galewing')
  await openLive(loser, '/')
  await expect(emptyBell(loser)).toBeVisible()

  await submit(winner, 'galewing', '00:30.00', '2026-03-02T10:00:00.000Z')
  await expect(bell(loser)).toBeVisible({ timeout: NEWS_WITHIN_MS })
  await expect(loser.getByRole('table', { name: 'Recent records' })).toContainText('galewing', {
    timeout: NEWS_WITHIN_MS,
  })

  await bell(loser).click()
  const box = loser.getByRole('dialog', { name: 'Inbox' })
  const lost = box.getByRole('link', { name: /^galewing broke your world record on / })
  await expect(lost).toHaveCount(1)
  await lost.click()
  await expect(loser.getByRole('heading', { level: 1 })).toContainText('galewing on ')
  await loser.goto('/inbox')
  await loser.getByRole('button', { name: 'Mark all as read' }).click()
  await expect(emptyBell(loser)).toBeVisible()
  await loser.reload()
  await settled(loser)
  await expect(emptyBell(loser)).toBeVisible()

  // An open leaderboard changes by itself, unless the pointer or the focus is in it.
  await loser.mouse.move(0, 0)
  await openLive(loser, leaderboard)
  await submit(winner, 'galewing', '00:29.90', '2026-03-03T10:00:00.000Z')
  await expect(leaderboardTable(loser).getByRole('row').nth(1)).toContainText('00:29.90', { timeout: NEWS_WITHIN_MS })
  await Promise.all([loser.context().close(), winner.context().close()])
})

test('players and maps are followed, and listed', async ({ browser }) => {
  const page = await openAs(browser, 'harborlight')
  await submit(page, 'harborlight', '01:50.10', '2026-03-04T10:00:00.000Z')
  await page.getByRole('button', { name: /^Follow / }).click()
  await expect(page.getByRole('button', { name: /^Unfollow / })).toBeVisible()
  await page.getByRole('link', { name: 'Following' }).click()
  await expect(page).toHaveURL(/\?following=true$/)
  await expect(leaderboardTable(page).getByRole('row')).toHaveCount(2)

  await page.getByRole('link', { name: 'Whole leaderboard' }).click()
  await expect(leaderboardTable(page).getByRole('row')).not.toHaveCount(2)
  await leaderboardTable(page).getByRole('row').nth(1).getByRole('link').first().click()
  await expect(page).toHaveURL(/\/player\//)
  await settled(page)
  const name = (await page.getByRole('heading', { level: 1 }).textContent()) ?? ''
  await page.getByRole('button', { name: `Follow ${name}`, exact: true }).click()
  await expect(page.getByRole('button', { name: `Unfollow ${name}`, exact: true })).toBeVisible()
  await page.goBack()
  await page.getByRole('link', { name: 'Following' }).click()
  await expect(leaderboardTable(page).getByRole('row')).toHaveCount(3)

  await page.goto('/inbox/following')
  await expect(page.getByRole('list', { name: 'Players' }).getByRole('listitem')).toHaveCount(1)
  await expect(page.getByRole('list', { name: 'Maps' }).getByRole('listitem')).toHaveCount(1)
  await page.getByRole('button', { name: `Unfollow ${name}`, exact: true }).click()
  await expect(page.getByText('You follow no players.')).toBeVisible()
  await page.context().close()
})

test('visitors are sent to the login, which leads back to the inbox', async ({ page }) => {
  await page.goto('/inbox?unread=true')
  await expect(page).toHaveURL('/login-with-bonk')
  await expect(page.getByRole('button', { name: 'Inbox' })).toHaveCount(0)
})
