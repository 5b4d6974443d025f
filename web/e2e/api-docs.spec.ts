import { expect, test } from '@playwright/test'

test('the API documentation lists every call and runs one, with files of the site only', async ({ page, baseURL }) => {
  const wrong: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') wrong.push(message.text())
  })
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    if (protocol !== 'data:' && origin !== new URL(baseURL ?? '').origin) wrong.push(request.url())
  })
  const document = await (await page.request.get('/api/v1/openapi.json')).json()
  const calls = Object.values(document.paths).flatMap((path) =>
    Object.keys(path as object).filter((method) => /^(get|post|put|delete|patch)$/.test(method)),
  )

  await page.goto('/api/v1/docs')
  await expect(page.getByRole('heading', { name: /^Capzone/ })).toBeVisible()
  await expect(page.locator('.opblock')).toHaveCount(calls.length)
  await expect(page.getByRole('navigation', { name: 'Site' })).toHaveCSS('display', 'flex')

  const stats = page.locator('#operations-stats-getStats')
  await stats.getByRole('button').first().click()
  await stats.getByRole('button', { name: 'Execute' }).click()
  await expect(stats.locator('.live-responses-table')).toContainText('totalMaps')
  expect(wrong).toEqual([])
})

test('the API documentation tries calls with a personal token', async ({ page }) => {
  const wrong: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('status of 401')) wrong.push(message.text())
  })
  const token = `cz_${'a'.repeat(43)}`
  await page.goto('/api/v1/docs')
  await page.getByRole('button', { name: 'Authorize', exact: true }).click()
  const form = page.locator('.auth-container').filter({ hasText: 'personalToken' })
  await form.getByRole('textbox').fill(token)
  await form.getByRole('button', { name: 'Apply credentials' }).click()
  await expect(form.getByText('Authorized')).toBeVisible()
  await form.getByRole('button', { name: 'Close' }).click()

  const count = page.locator('#operations-notifications-countInbox')
  await count.getByRole('button').first().click()
  await expect(count).toContainText('A personal token needs the scope inbox:read.')
  const sent = page.waitForRequest('**/api/v1/inbox/count')
  await count.getByRole('button', { name: 'Execute' }).click()
  expect((await sent).headers().authorization).toBe(`Bearer ${token}`)
  // Nobody has this token.
  await expect(count.locator('.live-responses-table')).toContainText('personal_token_invalid')
  expect(wrong).toEqual([])
})
