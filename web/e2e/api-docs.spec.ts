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

  const stats = page.locator('#operations-stats-getStats')
  await stats.getByRole('button').first().click()
  await stats.getByRole('button', { name: 'Execute' }).click()
  await expect(stats.locator('.live-responses-table')).toContainText('totalMaps')
  expect(wrong).toEqual([])
})
