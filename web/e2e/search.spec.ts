import { expect, test } from '@playwright/test'

test('a search with filters is kept after a reload and in its address', async ({ page, context }) => {
  await page.goto('/map-search')
  await page.getByLabel('Map name').fill('skyline')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByPlaceholder('Type a tag and press Enter').fill('City')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  const filters = page.getByRole('list', { name: 'Active filters' })
  await expect(filters).toContainText('#city')
  await expect(page.getByRole('heading', { name: 'Skyline Run' })).toBeVisible()
  await page.getByRole('button', { name: 'List view' }).click()
  await page.reload()
  await expect(filters).toContainText('Name: skyline')
  await expect(page.getByRole('table', { name: 'Maps' })).toContainText('Skyline Run')

  const other = await context.newPage()
  await other.goto(page.url())
  await expect(other.getByRole('list', { name: 'Active filters' })).toContainText('#city')

  await page.getByLabel('Map name').fill('no such map')
  await page.keyboard.press('Enter')
  await expect(page.getByText('No maps found.')).toBeVisible()
  await page.getByRole('button', { name: 'Clear all filters' }).click()
  await expect(page.getByRole('table', { name: 'Maps' })).toContainText('Skyline Run')
})

test('players are found by their names', async ({ page }) => {
  await page.goto('/player-search')
  await page.getByRole('main').getByRole('searchbox').fill('moss')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'View Profile of mossfoot' }).click()
  await expect(page.getByRole('heading', { name: 'mossfoot', level: 1 })).toBeVisible()
})
