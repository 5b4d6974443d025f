import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { leaderboardTable, loadWhole } from './pages'

test('a visit asks for each thing once, and again for what changes', async ({ page, site, player: _, baseURL }) => {
  const map = await site.map(await site.player('cloud'))
  const path = `/leaderboard/${map._id}`
  const made = await newestEvent(baseURL ?? '')
  await expect
    .poll(() => positionOf(page, path), { message: 'a document that was written after the map' })
    .toBeGreaterThanOrEqual(made)

  const requests: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.startsWith('/api/v1/')) requests.push(request.method() + pathname.slice('/api/v1'.length) + search)
  })
  // Not before the page is loaded, for which a busy machine may take longer than for an action.
  const opened = page.waitForResponse(/\/api\/v1\/events/, { timeout: 0 })
  await page.goto(path)
  await loadWhole(page)
  await opened
  const { player: rival } = await site.record(await site.player('moss'), map, '00:57.23')
  await expect(leaderboardTable(page)).toContainText(rival.name)
  // The document has the first answer, so that the only request is that after the rival's record.
  expect(requests.filter((request) => /^GET\/records\?(?!.*player=)/.test(request))).toHaveLength(1)
  // What the record changes is asked for again.
  const others = requests.filter((request) => !/^GET\/(records|events|maps\/[^/]+\/(history|points))/.test(request))
  expect(others).toEqual([...new Set(others)])
  expect(others).toContain('GET/inbox/count')
})

/** Returns the number of the newest event. */
async function newestEvent(baseURL: string): Promise<number> {
  const { body } = await fetch(`${baseURL}/api/v1/events`, { headers: { Accept: 'application/x-ndjson' } })
  const reader = body?.getReader()
  const first = await reader?.read()
  await reader?.cancel()
  const [line = ''] = new TextDecoder().decode(first?.value).split('\n')
  return JSON.parse(line).id
}

/** Returns the number of the event after which a document goes on, -1 where it has none. */
async function positionOf(page: Page, path: string): Promise<number> {
  const document = await (await page.request.get(path, { headers: { Accept: 'text/html' } })).text()
  return Number(/id="page-data" data-position="(\d+)"/.exec(document)?.[1] ?? -1)
}
