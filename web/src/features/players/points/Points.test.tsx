import { act, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, it, vi } from 'vitest'
import type { PlayerMapPoints, PlayerPoints, PointsDay } from '@/api'
import { aPlayer, cloudstep, page, playerPoints, somePoints } from '@/test/fixtures'
import { renderRoute } from '@/test/render'
import { problem, server, url } from '@/test/server'

const path = `/player/${cloudstep._id}?tab=points`
const asked: string[] = []

// 8th of 81, 2nd of 31, and a map that gives no points yet.
const maps = [
  somePoints(81, 8, 1),
  somePoints(31, 2, 2),
  { ...somePoints(3, 1, 3), finish: 0, beatenPoints: 0, placeBonus: 0, points: 0, share: 0, finishersMissing: 2 },
]

function serve(all: PlayerMapPoints[] = maps, change: Partial<PlayerPoints> = {}, days: PointsDay[] = []) {
  const { total } = playerPoints(all)
  server.use(
    http.get(url('/players/:id/points'), ({ request }) => {
      const { searchParams } = new URL(request.url)
      asked.push(searchParams.toString())
      const offset = Number(searchParams.get('offset'))
      return HttpResponse.json({
        success: true,
        data: playerPoints(all.slice(offset, offset + 20), { total, ...change }),
        pagination: { total: all.length, offset, limit: 20 },
      })
    }),
    http.get(url('/players/:id/points/history'), () => HttpResponse.json({ success: true, data: days })),
  )
}

beforeEach(() => {
  asked.length = 0
  server.use(
    http.get(url('/players/:id'), () => HttpResponse.json({ success: true, data: aPlayer() })),
    http.get(url('/records'), () => HttpResponse.json(page([]))),
    http.get(url('/maps/search'), () => HttpResponse.json(page([]))),
  )
})

const textOf = (table: HTMLElement) =>
  within(table)
    .getAllByRole('row')
    .map((row) => row.textContent)

it('shows the total and the rank', async () => {
  serve()
  renderRoute(path)
  const ranking = await screen.findByRole('link', { name: 'Show in the ranking' })
  expect(ranking).toHaveAttribute('href', `/rankings?around=${cloudstep._id}`)
  expect(screen.getAllByText('1,093.6')).toHaveLength(2)
  expect(screen.getByText('9 of 120')).toBeVisible()
  expect(asked).toEqual(['offset=0&limit=20'])
})

it('offers the modes in which the player has points', async () => {
  serve(maps, {
    modes: [
      { mode: 'Grapple', points: 800 },
      { mode: 'Classic', points: 250.5 },
    ],
  })
  const { user } = renderRoute(path)
  const choice = await screen.findByRole('combobox', { name: 'Game Mode' })
  expect(
    within(choice)
      .getAllByRole('option')
      .map((option) => option.textContent),
  ).toEqual(['All modes', 'Grapple', 'Classic'])
  await user.selectOptions(choice, 'Classic')
  await waitFor(() => expect(asked).toEqual(['offset=0&limit=20', 'mode=Classic&offset=0&limit=20']))
  await user.selectOptions(choice, 'All modes')
  expect(await screen.findByRole('table', { name: 'Points by map', busy: false })).toBeVisible()
})

const modes = [
  { mode: 'Grapple', points: 800 },
  { mode: 'Classic', points: 250.5 },
]

it('has the mode and the page in the address, beside the page of records', async () => {
  serve(
    Array.from({ length: 33 }, (_, i) => somePoints(41, i + 3, i + 1)),
    { modes },
  )
  const { user, router } = renderRoute(`${path}&page=2&pointsMode=Classic&pointsPage=2`)
  expect(await screen.findByRole('link', { name: 'Map 33' })).toBeVisible()
  expect(asked).toContain('mode=Classic&offset=20&limit=20')
  const pages = screen.getByRole('navigation', { name: 'Pages of points by map' })
  await user.click(within(pages).getByRole('button', { name: 'Previous' }))
  await waitFor(() => expect(router.state.location.search).toBe('?tab=points&page=2&pointsMode=Classic'))
  await act(() => router.navigate(-1))
  expect(await screen.findByRole('link', { name: 'Map 33' })).toBeVisible()
  const choice = screen.getByRole('combobox', { name: 'Game Mode' })
  expect(choice).toHaveValue('Classic')
  await user.selectOptions(choice, 'Grapple')
  await waitFor(() => expect(router.state.location.search).toBe('?tab=points&page=2&pointsMode=Grapple'))
  await user.selectOptions(choice, 'All modes')
  await waitFor(() => expect(router.state.location.search).toBe('?tab=points&page=2'))
})

it('leads from a mode without points and from a page past the end', async () => {
  serve([], { modes, rank: null, missing: { reason: 'value', maps: 0, authors: 0 } })
  const { user, router, unmount } = renderRoute(`${path}&pointsMode=VTOL`)
  const choice = await screen.findByRole('combobox', { name: 'Game Mode' })
  expect(choice).toHaveValue('VTOL')
  expect(screen.getByText('Nothing of yours counts towards this ranking yet.')).toBeVisible()
  await user.selectOptions(choice, 'All modes')
  await waitFor(() => expect(router.state.location.search).toBe('?tab=points'))
  unmount()
  serve()
  const past = renderRoute(`${path}&pointsPage=9`)
  expect(await screen.findByText('This page is past the last map.')).toBeVisible()
  await past.user.click(screen.getByRole('button', { name: 'First page' }))
  expect(await screen.findByRole('table', { name: 'Points by map', busy: false })).toBeVisible()
})

it('marks the points while those of another mode load, and shows none where they fail', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  serve(maps, { modes })
  const { user } = renderRoute(path)
  const choice = await screen.findByRole('combobox', { name: 'Game Mode' })
  let answer = () => {}
  const answered = new Promise<void>((resolve) => (answer = resolve))
  server.use(
    http.get(url('/players/:id/points'), async () => {
      await answered
      return problem(500)
    }),
  )
  await user.selectOptions(choice, 'Classic')
  await waitFor(() =>
    expect(screen.getByRole('table', { name: 'Points by map' }).closest('[aria-busy=true]')).not.toBeNull(),
  )
  answer()
  expect(await screen.findByRole('alert')).toHaveTextContent('This could not be loaded.')
  expect(screen.queryByRole('table', { name: 'Points by map' })).not.toBeInTheDocument()
  expect(choice).toHaveValue('Classic')
  serve([somePoints(81, 8, 9)], { modes })
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('link', { name: 'Map 9' })).toBeVisible()
  expect(screen.queryByRole('link', { name: 'Map 1' })).not.toBeInTheDocument()
  expect(screen.getByRole('table', { name: 'Points by map' }).closest('[aria-busy=true]')).toBeNull()
})

it('offers no modes to a player with points in one alone', async () => {
  serve(maps, { modes: [{ mode: 'Classic', points: 1093.6 }] })
  renderRoute(path)
  await screen.findByRole('table', { name: 'Points by map', busy: false })
  expect(screen.queryByRole('combobox', { name: 'Game Mode' })).not.toBeInTheDocument()
})

it('shows the sum that the total is, and the terms of each map on demand', async () => {
  serve()
  const { user } = renderRoute(path)
  const table = await screen.findByRole('table', { name: 'Points by map', busy: false })
  expect(textOf(table)).toEqual([
    '#MapTimeCounts asActions',
    '1Map 100:41.27586.1 × 1 = 586.1Calculation',
    '2Map 200:41.27534.2 × 0.95 = 507.5Calculation',
    '3Map 300:41.273 of 5 finishers',
  ])
  expect(screen.getByText(/^The sum is/)).toHaveTextContent('The sum is 1,093.6.')
  const button = within(table).getByRole('button', { name: 'Calculation for Map 2' })
  await user.click(button)
  expect(button).toHaveAttribute('aria-expanded', 'true')
  expect(within(table).getByRole('row', { name: /Map 2/ })).toHaveTextContent(
    '18.0 for finishing + 446.6 for 29 of 30 beaten + 69.6 for the 2nd place = 534.2' +
      '30·30/50 + 770·29/50 + 120·29/50',
  )
  await user.click(button)
  expect(table).not.toHaveTextContent('for finishing')
})

it('has pages of maps, whose parts add up to the total', async () => {
  const many = Array.from({ length: 33 }, (_, i) => somePoints(41, i + 3, i + 1))
  serve(many)
  const { user } = renderRoute(path)
  const sum = await screen.findByText(/^The maps on this page add up/)
  const numbers = () =>
    [...(sum.textContent ?? '').matchAll(/[\d,]+\.\d/g)].map(([text]) => Math.round(10 * Number(text.replace(',', ''))))
  const [shown = 0, others = 0, total] = numbers()
  expect(shown + others).toBe(total)
  expect(total).toBe(Math.round(10 * many.reduce((all, { share }) => all + share, 0)))
  const pages = screen.getByRole('navigation', { name: 'Pages of points by map' })
  await user.click(within(pages).getByRole('button', { name: 'Next' }))
  expect(await screen.findByRole('link', { name: 'Map 33' })).toBeVisible()
  expect(asked).toEqual(['offset=0&limit=20', 'offset=20&limit=20'])
})

it('says why the points have changed within a week, and the sum is exact', async () => {
  const change7d: PlayerPoints['change7d'] = {
    points: 41.2,
    places: 3,
    since: '2026-05-04',
    causes: [
      { map: { _id: 'a', name: 'Moss Garden' }, kind: 'improved', pointsBefore: 372.2, points: 420, change: 45.4 },
      { map: { _id: 'b', name: 'Ice Drop' }, kind: 'others', pointsBefore: 90, points: 86.5, change: -3.5 },
      { map: { _id: 'c', name: 'Grip' }, kind: 'gone', pointsBefore: 10, points: 0, change: -1 },
    ],
    rest: 0.3,
  }
  serve(maps, { change7d })
  renderRoute(path)
  expect(textOf(await screen.findByRole('table', { name: 'The change of the last 7 days', busy: false }))).toEqual([
    'MapCausePoints on the mapChange',
    'Moss GardenNew personal best372.2 → 420.0+45.4',
    'Ice DropOthers have played90.0 → 86.5-3.5',
    'GripNo longer counts10.0 → 0.0-1.0',
    'Everything else+0.3',
    'Sum+41.2',
  ])
  expect(screen.getByText('+41.2, 12th → 9th')).toBeVisible()
})

it('draws points and rank by day, and has a table of them for screen readers', async () => {
  serve(maps, {}, [
    { day: '2026-05-01', points: 0, rank: null },
    { day: '2026-05-02', points: 500.5, rank: 12 },
    { day: '2026-05-06', points: 480, rank: 15 },
  ])
  renderRoute(path)
  expect(await screen.findByRole('img', { name: 'The points went from 0.0 to 1,093.6.' })).toBeVisible()
  const rank = screen.getByRole('img', { name: 'The best rank was the 9th.' })
  // A day without a rank is a gap, and the 9th is above the 12th and the 15th.
  expect(rank.querySelector('path')?.getAttribute('d')).toMatch(/^M[\d.]+ 20H[\d.]+V36H[\d.]+V4H[\d.]+$/)
  expect(textOf(screen.getByRole('table', { name: 'Points and rank by day' }))).toEqual([
    'DayPointsRank',
    '1 May 20260.0N/A',
    '2 May 2026500.512th',
    '6 May 2026480.015th',
  ])
})

it.each([
  [{ reason: 'maps', maps: 3, authors: 0 }, '3 more maps must be finished.'],
  [{ reason: 'maps', maps: 0, authors: 1 }, 'Maps by 1 more author must be finished.'],
  [{ reason: 'maps', maps: 1, authors: 0 }, '1 more map must be finished.'],
  [{ reason: 'maps', maps: 0, authors: 2 }, 'Maps by 2 more authors must be finished.'],
  [{ reason: 'maps', maps: 1, authors: 2 }, '1 more map must be finished, and maps by 2 more authors.'],
  [{ reason: 'not_registered', maps: 0, authors: 0 }, 'This player has never logged in.'],
  [{ reason: 'value', maps: 0, authors: 0 }, 'Nothing of yours counts towards this ranking yet.'],
] as const)('says what is missing to a rank: %o', async (missing, text) => {
  serve([], { rank: null, missing })
  renderRoute(path)
  expect(await screen.findByText(text)).toBeVisible()
  await waitFor(() => expect(screen.getAllByText('Not ranked yet')).toHaveLength(2))
})

it('keeps the rest of the profile where the points fail, and tries again', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  server.use(
    http.get(url('/players/:id/points'), async () => {
      // A part of the page that is shown after an error asks again by itself.
      await vi.waitFor(() => screen.getByRole('status', { name: 'Loading the points' }), { timeout: 30_000 })
      return problem(500)
    }),
  )
  const { user } = renderRoute(path)
  expect(await screen.findByRole('alert')).toHaveTextContent('This could not be loaded.')
  expect(screen.getByRole('heading', { level: 1, name: 'cloudstep' })).toBeVisible()
  serve()
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(screen.getByRole('table', { name: 'Points by map' })).toBeVisible())
})
