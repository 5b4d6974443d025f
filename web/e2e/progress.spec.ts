import { expect, type Page, test } from '@playwright/test'
import { leaderboardTable, settled } from './pages'
import { logInQuickly, replayOf, submitReplay } from './person'

const PLAYER = 'windrose'

async function submit(page: Page, finishTime: string, timestamp: string): Promise<void> {
  await submitReplay(page, replayOf(PLAYER, finishTime, timestamp))
  await expect(page).toHaveURL(/\/leaderboard\//)
}

const card = (page: Page) => page.getByRole('article').filter({ hasText: 'Skyline Run' })

test('a medal within a second is found in three clicks, and everything moves with its submission', async ({ page }) => {
  await logInQuickly(page, PLAYER)
  await page.goto('/replay-submit')
  await submit(page, '01:02.40', '2026-02-01T10:00:00.000Z')

  await page.goto('/')
  await settled(page)
  await page.getByRole('navigation').getByRole('link', { name: 'Maps', exact: true }).first().click()
  await page.getByRole('button', { name: /^Sort/ }).click()
  await page.getByRole('menuitemradio', { name: 'Closest to My Next Medal' }).click()
  await expect(page).toHaveURL(/sortBy=toNextMedal/)
  await expect(page.getByRole('article').first()).toContainText('Skyline Run')
  await expect(card(page)).toContainText('00:00.50 missing to the gold medal')
  await expect(card(page).getByRole('img', { name: 'Silver medal' })).toBeVisible()

  await card(page).getByRole('link', { name: 'Skyline Run' }).click()
  const own = page.getByRole('region', { name: 'World record' })
  await expect(own).toContainText('You01:02.40')
  const before = await rankOf(page)
  await page.getByRole('main').getByRole('link', { name: 'Submit Record' }).first().click()
  await submit(page, '00:59.00', '2026-02-02T10:00:00.000Z')

  await expect(page.getByRole('region', { name: 'New personal best' })).toContainText('New: Gold medal')
  await expect(own).toContainText('You00:59.00')
  await expect(own).toContainText('missing to the author medal')
  expect(await rankOf(page)).toBeLessThan(before)

  await page.getByRole('link', { name: 'Back to Map Search' }).click()
  await expect(card(page)).toContainText('You00:59.00')
  await expect(card(page)).toContainText('missing to the author medal')
  await page.getByRole('button', { name: /Filters/ }).click()
  await page.getByRole('combobox', { name: 'My Progress' }).selectOption('Below gold')
  await expect(page).toHaveURL(/progress=belowGold/)
  await expect(card(page)).toHaveCount(0)
  await page.getByRole('combobox', { name: 'My Progress' }).selectOption('Not first')
  await expect(card(page)).toBeVisible()
})

// The rank in the own row of the leaderboard.
async function rankOf(page: Page): Promise<number> {
  const row = leaderboardTable(page).getByRole('row', { name: new RegExp(PLAYER) })
  await expect(row).toBeVisible()
  return Number(await row.getByRole('cell').first().textContent())
}
