import type { Page } from '@playwright/test'
import { type Course, expect, test } from './fixtures'
import { leaderboardTable, loadWhole, settled } from './pages'

async function openLeaderboard(page: Page, { map, first }: Course): Promise<void> {
  await page.goto(`/leaderboard/${map._id}`)
  await expect(leaderboardTable(page).getByRole('row', { name: first.player.name })).toBeVisible()
}

test('a record has a page with its time, comparisons, checks and replay', async ({ page, context, course }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  // Without the browser's own dialog, the link is copied.
  await page.addInitScript(() => Object.defineProperty(navigator, 'share', { value: undefined }))
  await openLeaderboard(page, course)
  await leaderboardTable(page)
    .getByRole('row', { name: course.improved.player.name })
    .getByRole('link', { name: /00:59\.93/ })
    .click()
  const { improved, first, map } = course
  await expect(page).toHaveURL(`/record/${improved._id}`)
  await expect(page.getByRole('heading', { level: 1, name: `${improved.player.name} on ${map.name}` })).toBeVisible()
  const head = page.getByRole('region', { name: 'Banner' })
  await expect(head).toContainText('00:59.93')
  await expect(head.getByRole('img', { name: 'Gold medal', exact: true })).toBeVisible()
  await expect(head).toContainText('short of the author medal')
  const record = page.getByRole('region', { name: 'Record' })
  await expect(record).toContainText('Personal best before-00:03.23')
  await expect(record.getByRole('link', { name: `+00:02.70 behind ${first.player.name}` })).toBeVisible()

  await page.getByText(/^\d+ of \d+ checks passed, simulation not checked$/).click()
  const checks = page.getByRole('list', { name: 'Checks' }).getByRole('listitem')
  await expect(checks.filter({ hasText: 'Passed' }).first()).toBeVisible()
  await expect(checks.filter({ hasText: 'Own replay' })).toContainText('Passed')
  await expect(page.getByRole('list', { name: 'Not checked' })).toContainText('was not simulated again')

  await page.getByRole('button', { name: 'Share' }).click()
  await expect(page.getByText('Link copied')).toBeVisible()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(page.url())
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download replay' }).click()
  expect((await download).suggestedFilename()).toMatch(/\.lbReplay$/)

  await page.getByRole('link', { name: 'Back to the leaderboard' }).click()
  await expect(leaderboardTable(page).getByRole('row', { name: course.improved.player.name })).toHaveAttribute(
    'aria-current',
    'true',
  )
})

test('the history of the world record is a table and a drawing', async ({ page, course }) => {
  await openLeaderboard(page, course)
  await loadWhole(page)
  await page.getByRole('button', { name: 'Show history' }).click()
  const rows = page.getByRole('table', { name: 'World records' }).getByRole('row')
  await expect(rows).toHaveCount(3)
  await expect(rows.nth(1)).toContainText(course.first.player.name)
  await expect(rows.nth(2)).toContainText(course.author.name)
  await expect(
    page.getByRole('img', { name: 'The world record went from 00:58.40 to 00:57.23 in 2 steps.' }),
  ).toBeVisible()
  await expect(page.getByRole('table', { name: 'Holders of the world record' })).toContainText('until now')
})

test('the code of a map is copied', async ({ page, context, course }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await openLeaderboard(page, course)
  await page.getByText('For tools').click()
  await page.getByRole('button', { name: 'Copy map code' }).click()
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible()
  await expect.poll(async () => (await page.evaluate(() => navigator.clipboard.readText())).length).toBeGreaterThan(200)
})

const openViewer = async (page: Page, course: Course) => {
  await openLeaderboard(page, course)
  const explore = page.getByRole('button', { name: 'Explore the map' })
  await explore.focus()
  await page.keyboard.press('Enter')
  const drawing = page.getByRole('application', { name: `Map ${course.map.name}` })
  await expect(drawing).toBeFocused()
  const viewBox = () => drawing.locator('svg').first().getAttribute('viewBox')
  await expect.poll(viewBox).toMatch(/\d/)
  return { explore, drawing, viewBox, whole: await viewBox() }
}

test('a map is explored by keyboard', async ({ page, course }) => {
  const { explore, drawing, viewBox, whole } = await openViewer(page, course)
  await page.keyboard.press('+')
  await expect(page.getByText('150%')).toBeVisible()
  await expect.poll(viewBox).not.toBe(whole)
  const zoomed = await viewBox()
  await page.keyboard.press('ArrowRight')
  await expect.poll(viewBox).not.toBe(zoomed)
  await page.keyboard.press('0')
  await expect.poll(viewBox).toBe(whole)

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

test('a map is explored by the wheel and by touch', async ({ page, context, course }) => {
  const { drawing, viewBox, whole } = await openViewer(page, course)
  // It waits until the drawing has its place.
  await drawing.hover({ position: { x: 150, y: 150 } })
  const box = await drawing.boundingBox()
  const [x, y] = [(box?.x ?? 0) + 150, (box?.y ?? 0) + 150]
  await page.mouse.wheel(0, -300)
  await expect(page.getByText('200%')).toBeVisible()
  await expect.poll(viewBox).not.toBe(whole)
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
  await expect.poll(viewBox).not.toBe(zoomed)
  await settled(page)
})

test('pages find their first answers in the document', async ({ page, course }) => {
  const { map, improved } = course
  const pages = {
    '/': ['/maps/search', '/records', '/stats'],
    [`/leaderboard/${map._id}`]: [`/maps/${map._id}`, `/maps/${map._id}/versions`, '/records'],
    [`/player/${improved.player._id}`]: [
      `/players/${improved.player._id}`,
      `/players/${improved.player._id}/statistics`,
      '/records',
    ],
    [`/record/${improved._id}`]: [`/records/${improved._id}`, `/records/${improved._id}/verification`],
  }
  const requests: string[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    searchParams.sort()
    const query = searchParams.size > 0 ? `?${searchParams}` : ''
    if (pathname.startsWith('/api/v1/')) requests.push(pathname.slice('/api/v1'.length) + query)
  })
  // Live updates request again what has changed meanwhile.
  await page.route('**/api/v1/events*', (route) => route.abort())
  for (const [path, answers] of Object.entries(pages)) {
    let inDocument: string[] = []
    // The gateway waits for an answer for two seconds only. The page is shown with a document that has all of them.
    await page.route(path, async (route) => {
      await expect(async () => {
        const response = await route.fetch()
        const [, data = '{}'] = /id="page-data"[^>]*>(.*?)<\/script>/s.exec(await response.text()) ?? []
        inDocument = Object.keys(JSON.parse(data))
        expect(inDocument.map((key) => key.replace(/\?.*/, ''))).toEqual(expect.arrayContaining(answers))
        await route.fulfill({ response })
      }).toPass()
    })
    requests.length = 0
    await page.goto(path)
    await loadWhole(page)
    const again = requests.filter((request) => inDocument.includes(request))
    expect(again, path).toEqual([])
    // What is below the first screen is not in the document.
    if (path.startsWith('/leaderboard/')) expect(requests).toContain(`/maps/${map._id}/history`)
  }
})
