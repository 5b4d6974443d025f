import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { leaderboardTable, settled } from './pages'

// The stream is opened some seconds after the first page. What is told later arrives at once; the limit is for a busy machine.
const OPENED_WITHIN_MS = 15_000

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

const emptyBell = (page: Page) => page.getByRole('button', { name: 'Inbox', exact: true })
const bell = (page: Page) => page.getByRole('button', { name: /^Inbox, \d+ unread$/ })

test('a player hears who has taken their record, without a reload', async ({ page, player, site }) => {
  const map = await site.map(await site.player('heron'))
  await site.record(player, map, '00:30.10')
  const winner = await site.player('galewing')
  await openLive(page, '/')
  await expect(emptyBell(page)).toBeVisible()

  await site.record(winner, map, '00:30.00')
  await expect(bell(page)).toBeVisible()
  await page.getByRole('heading', { name: 'Recent Records' }).scrollIntoViewIfNeeded()
  // Records of other tests may be newer than all that the table shows.
  let hundredths = 3000
  await expect(async () => {
    hundredths--
    await site.record(winner, map, `00:${hundredths / 100}`)
    await expect(page.getByRole('table', { name: 'Recent records' })).toContainText(winner.name, { timeout: 5000 })
  }).toPass({ timeout: 30_000 })

  await bell(page).click()
  const box = page.getByRole('dialog', { name: 'Inbox' })
  const lost = box.getByRole('link', { name: `${winner.name} broke your world record on ` })
  await expect(lost).toHaveCount(1)
  await lost.click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText(`${winner.name} on `)
  await page.goto('/inbox')
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await expect(emptyBell(page)).toBeVisible()
  await page.reload()
  await settled(page)
  await expect(emptyBell(page)).toBeVisible()

  // An open leaderboard changes by itself, unless the pointer or the focus is in it.
  await page.mouse.move(0, 0)
  await openLive(page, `/leaderboard/${map._id}`)
  await site.record(winner, map, '00:29.90')
  await expect(leaderboardTable(page).getByRole('row').nth(1)).toContainText('00:29.90')
})

test('players and maps are followed, and listed', async ({ page, player, site, course }) => {
  const { map, first } = course
  const { name } = first.player
  await site.record(player, map, '01:50.10')
  await page.goto(`/leaderboard/${map._id}`)
  await page.getByRole('button', { name: `Follow ${map.name}` }).click()
  await expect(page.getByRole('button', { name: `Unfollow ${map.name}` })).toBeVisible()
  await page.getByRole('link', { name: 'Following' }).click()
  await expect(page).toHaveURL(/\?following=true$/)
  await expect(leaderboardTable(page).getByRole('row')).toHaveCount(2)

  await page.getByRole('link', { name: 'Whole leaderboard' }).click()
  await leaderboardTable(page).getByRole('link', { name, exact: true }).click()
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
})
