import { expect, test } from './fixtures'
import { chooseMapFiles } from './pages'
import { replay } from './replays'
import { newGameMap } from './site'

test('a search with filters is kept after a reload and in its address', async ({ page, context, player }) => {
  const map = newGameMap(player.name)
  await page.goto('/map-submit')
  await chooseMapFiles(page, replay(map, player.name, '00:58.40'))
  await page.getByRole('textbox', { name: 'Tags' }).fill('City')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Submit for Validation' }).click()
  await expect(page).toHaveURL(/\/leaderboard\//)

  await page.goto('/map-search')
  await page.getByLabel('Map name').fill(map.name)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByPlaceholder('Type a tag and press Enter').fill('City')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  const filters = page.getByRole('list', { name: 'Active filters' })
  await expect(filters).toContainText('#city')
  await expect(page.getByRole('heading', { name: map.name })).toBeVisible()
  await page.getByRole('button', { name: 'List view' }).click()
  await page.reload()
  await expect(filters).toContainText(`Name: ${map.name}`)
  await expect(page.getByRole('table', { name: 'Maps' })).toContainText(map.name)

  const other = await context.newPage()
  await other.goto(page.url())
  await expect(other.getByRole('list', { name: 'Active filters' })).toContainText('#city')

  await page.getByLabel('Map name').fill('no such map')
  await page.keyboard.press('Enter')
  await expect(page.getByText('No maps found.')).toBeVisible()
  await page.getByRole('button', { name: 'Clear all filters' }).click()
  await expect(page.getByRole('table', { name: 'Maps' }).getByRole('row').nth(1)).toBeVisible()
})

test('players are found by their names', async ({ page, course }) => {
  const { name } = course.improved.player
  await page.goto('/player-search')
  await page.getByRole('main').getByRole('searchbox').fill(name)
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: `View Profile of ${name}` }).click()
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
})
