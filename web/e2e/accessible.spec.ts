import { expect, test } from './fixtures'
import { choose, chooseMapFiles, expectAccessible, expectNoOverflow, settled, submitReplay } from './pages'
import { replay } from './replays'
import { newGameMap } from './site'

test.beforeEach(async ({ page }) => {
  await choose(page, 'dark')
})

test('axe finds nothing on forms with files and errors', async ({ page, player }) => {
  const run = replay(newGameMap(player.name), player.name, '00:58.40')
  await page.goto('/map-submit')
  await settled(page)
  await page.getByRole('button', { name: 'Rules' }).click()
  await page.getByRole('button', { name: 'Submit for Validation' }).click()
  await expect(page.getByText('Please fix the following errors')).toBeVisible()
  await chooseMapFiles(page, run)
  await page.getByRole('textbox', { name: 'Tags' }).fill('city')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Gold medal time' })).toBeVisible()
  await expectAccessible(page, 'map-submit with files')

  await page.goto('/replay-submit')
  await settled(page)
  await page.getByLabel('Replay (.lbReplay)').setInputFiles(run)
  await expect(page.getByRole('heading', { name: 'Replay info' })).toBeVisible()
  await expectAccessible(page, 'replay-submit with a file')
})

test('axe finds nothing in menus and dialogs of visitors', async ({ page, course, site }) => {
  await site.wait('/maps/popular-tags', (tags) => expect(tags).toContain('works'))
  await page.goto('/map-search')
  await settled(page)
  await page.getByRole('button', { name: 'Filters' }).click()
  await expect(page.getByRole('group', { name: 'Popular tags' })).toBeVisible()
  await expectAccessible(page, 'filters')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'List view' }).click()
  await expect(page.getByRole('table')).toBeVisible()
  await expectAccessible(page, 'list view')
  const { name } = course.first.player
  await page.getByRole('combobox', { name: 'Search maps and players' }).fill(name)
  await expect(page.getByRole('option', { name: `Players named “${name}”` })).toBeVisible()
  await expectAccessible(page, 'search in the header')

  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/')
  await settled(page)
  await expectAccessible(page, 'home on a phone')
  await page.getByRole('button', { name: 'Open menu' }).click()
  await expect(page.getByRole('button', { name: 'Close menu' })).toBeVisible()
  await expectAccessible(page, 'menu on a phone')
})

test('axe finds nothing in menus and dialogs of players', async ({ page, player }) => {
  await page.goto('/')
  await settled(page)
  await page.getByRole('button', { name: `Account of ${player.name}` }).click()
  await page.getByRole('menuitem', { name: 'My Profile' }).waitFor()
  await expectAccessible(page, 'account menu')
  await page.getByRole('menuitem', { name: 'My Profile' }).click()
  await page.getByRole('button', { name: 'Edit avatar' }).click()
  await expect(page.getByRole('dialog', { name: 'Edit avatar' })).toBeVisible()
  await expectAccessible(page, 'avatar dialog')
})

test('axe finds nothing on the result of a submission', async ({ page, player, site }) => {
  const map = await site.map(await site.player('heron'))
  await page.goto('/replay-submit')
  await settled(page)
  await submitReplay(page, replay(map, player.name, '00:41.27'))
  await expect(page.getByRole('region', { name: 'World record!' })).toBeVisible()
  await settled(page)
  await expectAccessible(page, 'result')
})

test('axe finds nothing on the code entry', async ({ page }) => {
  await page.goto('/login-with-bonk')
  const room = await page.getByRole('link', { name: 'Join Verification Room' }).getAttribute('href')
  await page.request.post(`${room}/join`, { data: { name: 'pebblehop', level: 3 } })
  await expect(page.getByLabel('Enter the 6-digit code')).toBeFocused()
  await expectAccessible(page, 'code entry')
})

for (const [path, button] of [
  ['/settings/tokens', 'New token'],
  ['/settings/webhooks', 'New webhook'],
  ['/settings/data', 'Delete my account'],
] as const) {
  test(`axe finds nothing on the form of ${path} on a phone, which it fits`, async ({ page, player: _ }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(path)
    await settled(page)
    await page.getByRole('button', { name: button }).click()
    await expect(page.getByRole('main').getByRole('form')).toBeVisible()
    await expectNoOverflow(page)
    await expectAccessible(page, path)
  })
}
