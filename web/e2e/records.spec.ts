import { expect, type Page, test } from '@playwright/test'
import { leaderboardTable, loadWhole, settled } from './pages'
import { logInQuickly, submitReplay } from './person'

// The map and the records of the journey.
async function openLeaderboard(page: Page): Promise<void> {
  await page.goto('/map-search?name=Skyline')
  await page.getByRole('link', { name: 'Skyline Run' }).first().click()
  await expect(leaderboardTable(page).getByRole('row', { name: /riverfox/ })).toBeVisible()
}

test('a record has a page with its time, comparisons, checks and replay', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  // Without the browser's own dialog, the link is copied.
  await page.addInitScript(() => Object.defineProperty(navigator, 'share', { value: undefined }))
  await openLeaderboard(page)
  await leaderboardTable(page)
    .getByRole('row', { name: /mossfoot/ })
    .getByRole('link', { name: /00:59\.93/ })
    .click()
  await expect(page).toHaveURL(/\/record\/[0-9a-f-]{36}$/)
  await expect(page.getByRole('heading', { level: 1, name: 'mossfoot on Skyline Run' })).toBeVisible()
  const record = page.getByRole('region', { name: 'Record' })
  await expect(record).toContainText('00:59.93')
  await expect(record.getByRole('img', { name: 'Gold medal' })).toBeVisible()
  await expect(record).toContainText('short of the author medal')
  await expect(record).toContainText('Personal best before-00:03.23')
  await expect(record.getByRole('link', { name: '+00:02.70 behind riverfox' })).toBeVisible()

  const checks = page.getByRole('list', { name: 'Checks' }).getByRole('listitem')
  await expect(checks.filter({ hasText: 'Passed' }).first()).toBeVisible()
  await expect(checks.filter({ hasText: 'Own replay' })).toContainText('Passed')
  await expect(page.getByRole('list', { name: 'Not checked' })).toContainText('was not simulated again')

  await page.getByRole('button', { name: 'Share' }).click()
  await expect(page.getByText('Link copied')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url())
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download replay' }).click()
  expect((await download).suggestedFilename()).toMatch(/\.lbReplay$/)

  await page.getByRole('link', { name: 'Back to the leaderboard' }).click()
  await expect(leaderboardTable(page).getByRole('row', { name: /mossfoot/ })).toHaveAttribute('aria-current', 'true')
})

test('a record that does not exist is reported', async ({ page }) => {
  await page.goto('/record/nothing')
  await expect(page.getByText('Record not found')).toBeVisible()
})

test('a replay that was submitted before leads to its record', async ({ page }) => {
  await logInQuickly(page, 'mossfoot')
  await page.goto('/replay-submit')
  await submitReplay(page, 'skyline-run-mossfoot-faster.lbReplay')
  await page.getByRole('link', { name: 'See the record that exists already' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'mossfoot on Skyline Run' })).toBeVisible()
})

test('the history of the world record is a table and a drawing', async ({ page }) => {
  await openLeaderboard(page)
  await loadWhole(page)
  await page.getByRole('button', { name: 'Show history' }).click()
  const rows = page.getByRole('table', { name: 'World records' }).getByRole('row')
  await expect(rows).toHaveCount(3)
  await expect(rows.nth(1)).toContainText('riverfox')
  await expect(rows.nth(2)).toContainText('cloudstep')
  await expect(
    page.getByRole('img', { name: 'The world record went from 00:58.40 to 00:57.23 in 2 steps.' }),
  ).toBeVisible()
  await expect(page.getByRole('table', { name: 'Holders of the world record' })).toContainText('until now')
})

test('the code of a map is copied', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await openLeaderboard(page)
  await page.getByRole('button', { name: 'Copy map code' }).click()
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible()
  expect((await page.evaluate(() => navigator.clipboard.readText())).length).toBeGreaterThan(200)
})

const openViewer = async (page: Page) => {
  await openLeaderboard(page)
  const explore = page.getByRole('button', { name: 'Explore the map' })
  await explore.focus()
  await page.keyboard.press('Enter')
  const drawing = page.getByRole('application', { name: 'Map Skyline Run' })
  await expect(drawing).toBeFocused()
  const viewBox = () => drawing.locator('svg').first().getAttribute('viewBox')
  return { explore, drawing, viewBox, whole: await viewBox() }
}

test('a map is explored by keyboard', async ({ page }) => {
  const { explore, drawing, viewBox, whole } = await openViewer(page)
  await page.keyboard.press('+')
  await expect(page.getByText('150%')).toBeVisible()
  const zoomed = await viewBox()
  expect(zoomed).not.toBe(whole)
  await page.keyboard.press('ArrowRight')
  expect(await viewBox()).not.toBe(zoomed)
  await page.keyboard.press('0')
  expect(await viewBox()).toBe(whole)

  await page.keyboard.press('Shift+Tab')
  await page.getByRole('button', { name: 'Spawns' }).focus()
  await page.keyboard.press('Space')
  await expect(drawing.getByText('start')).toBeHidden()
  await expect(drawing.getByText('finish')).toBeVisible()
  await page.getByRole('button', { name: 'Full screen' }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate(() => document.fullscreenElement?.getAttribute('role'))).toBe('application')
  await page.evaluate(() => document.exitFullscreen())

  await page.keyboard.press('Escape')
  await expect(drawing).toHaveCount(0)
  await expect(explore).toBeFocused()
})

test('a map is explored by the wheel and by touch', async ({ page, context }) => {
  const { drawing, viewBox, whole } = await openViewer(page)
  const box = await drawing.boundingBox()
  const [x, y] = [(box?.x ?? 0) + 150, (box?.y ?? 0) + 150]
  await page.mouse.move(x, y)
  await page.mouse.wheel(0, -300)
  await expect(page.getByText('200%')).toBeVisible()
  const zoomed = await viewBox()
  await page.keyboard.press('0')
  await expect.poll(viewBox).toBe(whole)

  const devTools = await context.newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...fingers: number[][]) =>
    devTools.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: fingers.map(([dx = 0, dy = 0], id) => ({ x: x + dx, y: y + dy, id })),
    })
  await touch('touchStart', [0, 0])
  await touch('touchMove', [-40, 30])
  await touch('touchEnd')
  await expect.poll(viewBox).not.toBe(whole)
  await page.keyboard.press('0')
  await touch('touchStart', [0, 0], [50, 0])
  await touch('touchMove', [-25, 0], [75, 0])
  await touch('touchEnd')
  await expect(page.getByText('200%')).toBeVisible()
  expect(await viewBox()).not.toBe(zoomed)
  await settled(page)
})

test('pages find their first answers in the document', async ({ page }) => {
  // The stream of events would keep the network from being idle.
  await page.route('**/api/v1/events', (route) => route.abort())
  await openLeaderboard(page)
  await page.waitForLoadState('networkidle')
  const leaderboard = page.url()
  const player = await leaderboardTable(page)
    .getByRole('row')
    .getByRole('link', { name: 'mossfoot', exact: true })
    .getAttribute('href')
  const record = await leaderboardTable(page)
    .getByRole('row', { name: /mossfoot/ })
    .getByRole('link', { name: /00:59\.93/ })
    .getAttribute('href')
  // Whatever the first page still asks for is not counted.
  await page.goto('about:blank')
  const requests: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (/^\/api\/v1\/(?!auth\/|events$)/.test(pathname)) requests.push(pathname + search)
  })
  for (const [path, heading] of [
    ['/', 'Find a map. Beat the clock.'],
    [leaderboard, 'Skyline Run'],
    [player ?? '', 'mossfoot'],
    [record ?? '', 'mossfoot on Skyline Run'],
  ] as const) {
    await page.goto(path, { waitUntil: 'networkidle' })
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
  }
  // The history of the world record, and what a player has reached, are below the first screen. Points of a player are
  // never stored.
  const idOf = (address: string) => new URL(address, leaderboard).pathname.split('/').at(-1)
  expect(requests).toEqual([
    `/api/v1/maps/${idOf(leaderboard)}/history`,
    expect.stringMatching(/^\/api\/v1\/moderation\/records\/[0-9a-f-]{36}$/),
    `/api/v1/players/${idOf(player ?? '')}/points?offset=0&limit=20`,
  ])
})
