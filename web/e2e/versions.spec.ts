import { expect, test } from './fixtures'
import { leaderboardTable } from './pages'
import { replay } from './replays'
import { newGameMap } from './site'

test('an author submits a map with its drawing as the picture', async ({ page, player }) => {
  const map = newGameMap(player.name)
  await page.goto('/map-submit')
  await page.getByLabel('Replay (.lbReplay)').setInputFiles(replay(map, player.name, '00:41.27'))
  const drawing = page.getByRole('region', { name: 'Drawing of the map' })
  await expect(drawing.getByRole('img', { name: 'The map of the replay' })).toBeVisible()
  await drawing.getByRole('button', { name: 'Use this picture' }).click()
  await page.getByRole('button', { name: 'Submit for Validation' }).click()
  await expect(page.getByText('Map validated successfully!')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: map.name })).toBeVisible()
  const pictures = page.getByRole('img', { name: /^(The map|Drawing of) / })
  await expect(pictures).toHaveCount(1)
  await expect(pictures).toHaveAttribute('alt', `Drawing of ${map.name}`)
  await expect(page.getByRole('combobox', { name: 'Version' })).toHaveCount(0)
})

test('a map with other physics becomes a new version, to which the old one leads', async ({ page, player, site }) => {
  const map = await site.map(player)
  await page.goto('/map-submit')
  await page.getByLabel('Replay (.lbReplay)').setInputFiles(replay({ ...map, fly: true }, player.name, '00:39.93'))
  await page.getByRole('button', { name: 'Use this picture' }).click()
  await page.getByRole('button', { name: 'Submit for Validation' }).click()
  await expect(page.getByText('It is version 2 of the map, with a leaderboard of its own.')).toBeVisible()
  const own = leaderboardTable(page).getByRole('row', { name: player.name })
  await expect(own).toContainText('00:39.93')

  const menu = page.getByRole('combobox', { name: 'Version' })
  await expect(menu.getByRole('option')).toHaveText(['2 (newest)', '1'])
  await menu.selectOption('1')
  await expect(page.getByText('This is an old version of the map.')).toBeVisible()
  await expect(own).toContainText('00:58.40')
  await page.getByRole('link', { name: 'See the newest version' }).click()
  await expect(own).toContainText('00:39.93')
})
