import { translatePage } from '../src/test/translatePage'
import { expect, test } from './fixtures'
import { chooseMapFiles, joinRoom, leaderboardTable, loadWhole, settled, submitReplay } from './pages'
import { replay } from './replays'
import { newGameMap, unique } from './site'

// Each page is translated by the browser, from its beginning and after each change.
test.beforeEach(async ({ page }) => {
  await page.addInitScript(translatePage)
  page.on('pageerror', (error) => expect.soft(error.message).toBe(''))
})

test.afterEach(async ({ page }) => {
  await expect(page.locator('font').first()).toBeAttached()
  await expect(page.getByText('This page broke')).toHaveCount(0)
})

test('an author logs in and submits a map and a record on a translated page', async ({ page }) => {
  const author = unique('cloudstep')
  const map = { ...newGameMap(author), anyMode: true }
  await page.goto('/map-submit')
  const code = await joinRoom(page, author)
  const field = page.getByLabel('Enter the 6-digit code')
  await field.pressSequentially(code === '000000' ? '000001' : '000000')
  await expect(page.getByText('This code is wrong. 4 tries left.')).toBeVisible()
  await field.pressSequentially(code)
  await expect(page).toHaveURL('/map-submit')

  const submit = page.getByRole('button', { name: 'Submit for Validation' })
  await submit.click()
  await expect(page.getByRole('group', { name: 'Please fix' })).toContainText('Replay file is required')
  await chooseMapFiles(page, replay(map, author, '00:58.40'))
  await expect(page.getByRole('region', { name: 'Replay info' })).toContainText(String(map.gameId))
  await page.getByRole('combobox', { name: 'Game mode' }).selectOption('Grapple')
  await page.getByRole('textbox', { name: 'Tags' }).fill('city')
  await page.getByRole('button', { name: 'Add' }).click()
  await page.getByLabel('Description').fill('Over the roofs.')
  await expect(page.getByText('15 of 2000 characters.')).toBeVisible()
  await submit.click()
  await expect(page).toHaveURL(/\/leaderboard\//)
  await expect(leaderboardTable(page).getByRole('row', { name: new RegExp(author) })).toBeVisible()
  await expect(page.getByText('1 player', { exact: true })).toBeVisible()

  await page.getByRole('region', { name: 'Banner' }).getByRole('link', { name: 'Submit Record' }).click()
  await submitReplay(page, replay(map, unique('mossfoot'), '00:57.23'))
  await expect(page.getByText('This replay was recorded by another player.').first()).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
  await submitReplay(page, replay(map, author, '00:56.40'))
  const banner = page.getByRole('region', { name: 'World record!' })
  await expect(banner).toContainText('00:56.40')
  await expect(banner.getByRole('heading')).toBeInViewport()
  await banner.getByRole('link', { name: 'See your row' }).click()
  await expect(leaderboardTable(page).getByRole('row', { name: new RegExp(author) })).toBeInViewport()
})

test('no name and no time is translated', async ({ page, player, course }) => {
  const { map, author, first, improved } = course
  await page.setViewportSize({ width: 1440, height: 900 })
  for (const path of [
    '/',
    '/map-search?progress=unplayed',
    `/leaderboard/${map._id}`,
    `/record/${improved._id}`,
    `/player/${improved.player._id}`,
    `/compare/${improved.player._id}/${first.player._id}`,
    '/settings',
  ]) {
    await page.goto(path)
    await loadWhole(page)
    await expect(page.locator('font').first()).toBeAttached()
    const names = [map, author, player, first.player, improved.player].map(({ name }) => name)
    const translated = await page.evaluate((names) => {
      const isNameOrTime = (text: string) => names.includes(text) || /^[+-]?[\d:]*\d\d\.\d\d$/.test(text)
      return [...document.querySelectorAll(':not(font) > font')]
        .filter(({ textContent }) => isNameOrTime(textContent.trim()))
        .map(({ parentElement }) => parentElement?.outerHTML)
    }, names)
    expect.soft(translated, path).toEqual([])
  }
})

test('a player turns pages, makes a token and a webhook, and reports on a translated page', async ({
  page,
  player: _,
  course,
}) => {
  await page.goto('/settings/tokens')
  await settled(page)
  await page.getByRole('button', { name: 'New token' }).click()
  await page.getByRole('button', { name: 'Create token' }).click()
  await expect(page.getByRole('group', { name: 'Please fix' })).toBeVisible()
  await page.getByLabel('Name', { exact: true }).fill('Bot')
  await page.getByRole('checkbox', { name: /^Read the inbox/ }).check()
  await page.getByRole('button', { name: 'Create token' }).click()
  await page.getByRole('button', { name: 'I have saved it' }).click()
  await page.getByRole('button', { name: 'Revoke Bot' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
  await expect(page.getByText('You have no tokens.')).toBeVisible()

  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Webhooks' }).click()
  await page.getByRole('button', { name: 'New webhook' }).click()
  await page.getByLabel('Address').fill('https://10.0.0.1/hook')
  await page.getByRole('button', { name: 'Create webhook' }).click()
  await expect(page.getByLabel('Address')).toHaveAttribute('aria-invalid', 'true')
  await page.getByLabel('Format').selectOption('JSON, for a program')
  await page.getByLabel('Address').fill('https://receiver.example/hook')
  await page.getByRole('button', { name: 'Create webhook' }).click()
  await page.getByRole('button', { name: 'I have saved it' }).click()
  await expect(page.getByText('You have 1 webhook, and may have up to ')).toBeVisible()

  await page.goto(`/record/${course.last._id}`)
  await settled(page)
  await page.getByRole('button', { name: 'Report' }).click()
  const report = page.getByRole('dialog')
  await report.getByLabel('What is wrong?').selectOption('The replay was edited')
  await report.getByRole('button', { name: 'Send report' }).click()
  await expect(report).toHaveCount(0)

  // The leaderboard as if it had 15 pages.
  await page.route('**/api/v1/records?*', async (route) => {
    const address = new URL(route.request().url())
    address.searchParams.delete('offset')
    const response = await route.fetch({ url: address.toString() })
    const { data, pagination } = await response.json()
    await route.fulfill({ json: { success: true, data, pagination: { ...pagination, total: 150 } } })
  })
  await page.getByRole('main').getByRole('link', { name: course.map.name }).first().click()
  for (const at of [2, 3, 4]) {
    await page.getByRole('button', { name: 'Next' }).click()
    await expect(page.getByText(`Page ${at} of 15`)).toBeVisible()
  }
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})
