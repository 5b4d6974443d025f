import { writeFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { chooseMapFiles, expectNoOverflow, joinRoom } from './pages'
import { replay } from './replays'
import { joinQuickly, newGameMap } from './site'

test('a login fails when another player enters the room, and can be tried again', async ({ page }) => {
  await page.goto('/login-with-bonk')
  const link = page.getByRole('link', { name: 'Join Verification Room' })
  const room = (await link.getAttribute('href')) ?? ''
  await joinRoom(page, 'pebblehop')
  await page.request.post(`${room}/join`, { data: { name: 'intruder', level: 3 } })
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(link).toBeVisible()
  await expect(link).not.toHaveAttribute('href', room)
})

const ways = {
  typed: (page: Page, code: string) => page.keyboard.type(code),
  pasted: (page: Page) => page.keyboard.press('Control+V'),
}

for (const [way, enter] of Object.entries(ways)) {
  test(`a code that is ${way} as soon as the entry is shown is accepted, on a slow machine`, async ({
    page,
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto('/login-with-bonk')
    const room = await page.getByRole('link', { name: 'Join Verification Room' }).getAttribute('href')
    const devTools = await context.newCDPSession(page)
    await devTools.send('Emulation.setCPUThrottlingRate', { rate: 6 })
    const code = await joinQuickly(page.request, room ?? '', 'pebblehop')
    await page.evaluate((line) => navigator.clipboard.writeText(line), `Your code is ${code}.\n`)
    await page.waitForFunction(() => document.activeElement?.matches('form input'), null, { polling: 'raf' })
    await enter(page, code)
    await expect(page.getByText('Successfully logged in!').first()).toBeVisible()
  })
}

test('a page requests its data while the session is checked', async ({ page }) => {
  const held = page.waitForRequest('**/auth/refresh-token')
  const data = page.waitForRequest('**/players/search?*')
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/auth/refresh-token', async (route) => {
    await released
    await route.continue()
  })
  await page.goto('/player-search')
  await Promise.all([held, data])
  await expect(page.getByText('Loading authentication...')).toBeVisible()
  release()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

test('a link fetches the data of its page when the pointer is over it', async ({ page }) => {
  await page.goto('/privacy')
  const data = page.waitForRequest('**/players/search?*')
  await page.getByRole('link', { name: 'Players', exact: true }).hover()
  await data
  await expect(page).toHaveURL('/privacy')
})

test('a phone has a menu', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/')
  const button = page.getByRole('button', { name: 'Open menu' })
  const menu = page.getByRole('dialog', { name: 'Menu' })
  await button.click()
  await expect(menu).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(menu).toBeHidden()
  await expect(button).toBeFocused()
  await button.click()
  await page.setViewportSize({ width: 900, height: 740 })
  await expect(menu).toBeHidden()
  await page.setViewportSize({ width: 360, height: 740 })
  await button.click()
  await menu.getByRole('link', { name: 'Players' }).click()
  await expect(page).toHaveURL('/player-search')
  await expect(menu).toBeHidden()
  await expect(page.getByRole('main')).toBeFocused()
  await button.click()
  await menu.getByRole('combobox', { name: 'Search maps and players' }).fill('skyline')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/map-search?name=skyline')
  await expect(menu).toBeHidden()
  await expectNoOverflow(page)
})

test('a form is kept when the server cannot be reached', async ({ page, context, player }) => {
  await page.goto('/map-submit')
  await chooseMapFiles(page, replay(newGameMap(player.name), player.name, '00:58.40'))
  await page.getByLabel('Description').fill('Kept.')
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Submit for Validation' }).click()
  await expect(page.getByText('Failed to submit map for validation')).toBeVisible()
  await expect(page.getByText(/server can't be reached right now/)).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByText(/server can't be reached right now/)).toBeHidden()
  await expect(page.getByLabel('Description')).toHaveValue('Kept.')
})

test('a replay of 5 MB is read in the browser', async ({ page, player }, info) => {
  await page.goto('/map-submit')
  const lines = [`Player Name: ${player.name}`, 'Finish Time: 00:41.27', 'Validated: true']
  while (lines.length < 5000) lines.push(`Note ${lines.length}: ${'x'.repeat(1000)}`)
  const file = info.outputPath('large.lbReplay')
  await writeFile(file, `${lines.join('\n')}\n`)
  await page.getByLabel('Replay (.lbReplay)').setInputFiles(file)
  await expect(page.getByRole('region', { name: 'Replay info' })).toContainText(player.name)
})
