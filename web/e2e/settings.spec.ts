import { readFileSync } from 'node:fs'
import { translatePage } from '../src/test/translatePage'
import { expect, test } from './fixtures'
import { expectAccessible, settled } from './pages'

// The browser translates each page.
test.beforeEach(async ({ page }) => {
  await page.addInitScript(translatePage)
})

test('a token is made, seen once, used, and revoked', async ({ page, player: _, playwright, baseURL }) => {
  await page.goto('/settings')
  await settled(page)
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Tokens' }).click()
  await page.getByRole('button', { name: 'New token' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Bot')
  await page.getByRole('checkbox', { name: /^Read the inbox/ }).check()
  await page.getByRole('button', { name: 'Create token' }).click()
  const shown = page.getByRole('region', { name: 'Your new token Bot' })
  const token = await shown.getByText(/^cz_[\w-]{43}$/).textContent()
  const program = await playwright.request.newContext({
    baseURL: baseURL ?? '',
    extraHTTPHeaders: { Authorization: `Bearer ${token}` },
  })
  expect((await program.get('/api/v1/inbox/count')).status()).toBe(200)
  expect((await program.get('/api/v1/tokens')).status()).toBe(403)

  await page.reload()
  await settled(page)
  await expect(page.getByText(String(token))).toHaveCount(0)
  await page.getByRole('button', { name: 'Revoke Bot' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
  await expect(page.getByText('You have no tokens.')).toBeVisible()
  // The gateways learn of it a moment later.
  await expect.poll(async () => (await program.get('/api/v1/inbox/count')).status()).toBe(401)
  await program.dispose()
})

test('a webhook is made and deleted, and a refused address is named at its field', async ({ page, player: _ }) => {
  await page.goto('/settings/webhooks')
  await settled(page)
  await page.getByRole('button', { name: 'New webhook' }).click()
  await page.getByLabel('Format').selectOption('JSON, for a program')
  await page.getByLabel('Address').fill('https://10.0.0.1/hook')
  await page.getByLabel('Name (optional)').fill('Overlay')
  await page.getByRole('button', { name: 'Create webhook' }).click()
  await expect(page.getByLabel('Address')).toHaveAttribute('aria-invalid', 'true')
  await page.getByLabel('Address').fill('https://receiver.example/hook')
  await page.getByRole('button', { name: 'Create webhook' }).click()
  await expect(page.getByText(/^whsec_/)).toBeVisible()
  await page.getByRole('button', { name: 'I have saved it' }).click()
  await page.getByRole('link', { name: 'Overlay' }).click()
  await expect(page.getByText('https://receiver.example/hook')).toBeVisible()
  await expect(page.getByText('Nothing has been sent yet.')).toBeVisible()
  await expectAccessible(page, 'webhook')
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('You have no webhooks.')).toBeVisible()
})

test('a kind of notifications is changed', async ({ page, player: _ }) => {
  await page.goto('/settings/notifications')
  await settled(page)
  const passes = page.getByLabel('Somebody passes you')
  await passes.selectOption('Off')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Settings saved')).toBeVisible()
  await page.reload()
  await expect(passes).toHaveValue('off')
})

test('the own data are downloaded once a day', async ({ page, player: _ }) => {
  await page.goto('/settings/data')
  await settled(page)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download my data' }).click()
  const lines = readFileSync(await (await download).path(), 'utf8')
    .trim()
    .split('\n')
  expect(lines.map((line) => JSON.parse(line).kind)).toContain('player')
  expect(JSON.parse(lines.at(-1) ?? '')).toEqual({ kind: 'end', complete: true })
  await page.getByRole('button', { name: 'Download my data' }).click()
  await expect(page.getByText(/You can get your data once a day/)).toBeVisible()
})

test('a deletion is asked for, announced, and cancelled', async ({ page, player }) => {
  await page.goto('/settings/data')
  await settled(page)
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await page.getByLabel('Your name, to confirm').fill(player.name)
  await page.getByRole('button', { name: 'Delete in 14 days' }).click()
  await expect(page.getByText(/^Your account will be deleted on/)).toBeVisible()
  await page.goto('/settings')
  await settled(page)
  await page.getByRole('main').getByRole('link', { name: 'My Profile' }).click()
  await page.getByRole('button', { name: 'Keep my account' }).click()
  await expect(page.getByText('Your account stays')).toBeVisible()
  await expect(page.getByText(/^Your account will be deleted on/)).toHaveCount(0)
})
