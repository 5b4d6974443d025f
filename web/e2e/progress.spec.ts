import { expect, type Page, test } from '@playwright/test'
import { leaderboardTable, settled } from './pages'
import { logInQuickly, replayOf, submitReplay } from './person'

const PLAYER = 'windrose'

async function submit(page: Page, finishTime: string, timestamp: string): Promise<void> {
  await submitReplay(page, replayOf(PLAYER, finishTime, timestamp))
  await expect(page).toHaveURL(/\/leaderboard\//)
}

const card = (page: Page) =>
  page.getByRole('article').filter({ hasText: 'Skyline Run' }).filter({ hasText: 'cloudstep' })

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
  await expect(card(page)).toContainText('00:00.50 short of the gold medal')
  await expect(card(page).getByRole('img', { name: 'Silver medal' })).toBeVisible()

  await card(page).getByRole('link', { name: 'Skyline Run' }).click()
  const own = page.getByRole('region', { name: 'World record' })
  await expect(own).toContainText('You01:02.40')
  const before = await rankOf(page)
  await page.getByRole('main').getByRole('link', { name: 'Submit Record' }).first().click()
  await submit(page, '00:59.00', '2026-02-02T10:00:00.000Z')

  await expect(page.getByRole('region', { name: 'New personal best' })).toContainText('New: Gold medal')
  await expect(own).toContainText('You00:59.00')
  await expect(own).toContainText('short of the author medal')
  expect(await rankOf(page)).toBeLessThan(before)

  await page.getByRole('link', { name: 'Back to Map Search' }).click()
  await expect(card(page)).toContainText('You00:59.00')
  await expect(card(page)).toContainText('short of the author medal')
  await page.getByRole('button', { name: /Filters/ }).click()
  await page.getByRole('combobox', { name: 'My Progress' }).selectOption('Below gold')
  await expect(page).toHaveURL(/progress=belowGold/)
  await expect(card(page)).toHaveCount(0)
  await page.getByRole('combobox', { name: 'My Progress' }).selectOption('Not first')
  await expect(card(page)).toBeVisible()
})

const choose = async (page: Page, progress: string) => {
  await page.getByRole('button', { name: /^Filters/ }).click()
  await page.getByRole('combobox', { name: 'My Progress' }).selectOption(progress)
  await page.keyboard.press('Escape')
}

test('a filter by progress stands in the address, and goes away by its chip', async ({ page }) => {
  await logInQuickly(page, 'fernpath')
  await page.goto('/map-search?name=skyline')
  await choose(page, 'Not played')
  await expect(page).toHaveURL('/map-search?name=skyline&progress=unplayed')
  const filters = page.getByRole('list', { name: 'Active filters' }).getByRole('listitem')
  await expect(filters).toHaveText(['Name: skyline', 'Not played'])
  await expect(card(page)).toBeVisible()
  await page.reload()
  await expect(filters).toHaveText(['Name: skyline', 'Not played'])
  await expect(card(page)).toBeVisible()

  await choose(page, 'Next medal is near')
  await expect(page).toHaveURL('/map-search?name=skyline&progress=near')
  await expect(page.getByText('No maps found.')).toBeVisible()
  await page.getByRole('button', { name: 'Remove filter Next medal is near' }).focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/map-search?name=skyline')
  await expect(filters).toHaveText(['Name: skyline'])
  await expect(page.getByRole('button', { name: 'Remove filter Name: skyline' })).toBeFocused()
  await expect(card(page)).toBeVisible()
})

test('the filters fit on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await logInQuickly(page, 'fernpath')
  await page.goto('/map-search?name=skyline&gameMode=Death+Arrows&author=cloudstep&tags=city,long&progress=belowAuthor')
  const filters = page.getByRole('list', { name: 'Active filters' }).getByRole('listitem')
  await expect(filters).toHaveCount(6)
  for (const filter of await filters.all()) await expect(filter.getByRole('button')).toBeInViewport({ ratio: 1 })
  await page.getByRole('button', { name: /^Filters/ }).click()
  const fields = page.getByRole('dialog', { name: 'Filters' })
  for (const label of ['Game Mode', 'My Progress', 'Author', 'Tags']) {
    const field = fields.getByLabel(label, { exact: true })
    await field.scrollIntoViewIfNeeded()
    await expect(field).toBeInViewport({ ratio: 1 })
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})

test('the list of maps with own times fits on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await logInQuickly(page, 'mossfoot')
  await page.goto('/map-search?name=skyline')
  await page.getByRole('button', { name: 'List view' }).click()
  const table = page.getByRole('table', { name: 'Maps' })
  await expect(table.getByRole('row', { name: /^Skyline Run cloudstep · Classic You 00:59\.93/ })).toBeVisible()
  // A wider table would scroll sideways in its frame.
  const hidden = () =>
    table.evaluate(({ parentElement }) => parentElement && parentElement.scrollWidth - parentElement.clientWidth)
  expect(await hidden()).toBe(0)
})

// The rank in the own row of the leaderboard.
async function rankOf(page: Page): Promise<number> {
  const row = leaderboardTable(page).getByRole('row', { name: new RegExp(PLAYER) })
  await expect(row).toBeVisible()
  return Number(await row.getByRole('cell').first().textContent())
}
