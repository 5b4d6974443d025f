import { act, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, it, vi } from 'vitest'
import type { ImprovedMap, PlayerStatistics } from '@/api'
import { aPlayer, cloudstep, page, someStatistics } from '@/test/fixtures'
import { renderRoute } from '@/test/render'
import { problem, server, url } from '@/test/server'

const path = `/player/${cloudstep._id}?tab=statistics`
const map = (id: string) => ({ _id: id, name: `Map ${id}` })

const statistics = someStatistics({
  finished: { total: 12, of: 75 },
  modes: [
    { mode: 'Classic', finished: 9, of: 40, medals: { author: 1, gold: 2, silver: 3, bronze: 2, none: 1 } },
    { mode: null, finished: 3, of: 35, medals: { author: 0, gold: 0, silver: 1, bronze: 0, none: 2 } },
  ],
  worldRecords: {
    now: 2,
    ever: 5,
    longestReign: {
      map: map('a'),
      record: 'r',
      from: '2026-01-01T00:00:00Z',
      until: null,
      milliseconds: 3 * 86_400_000,
    },
  },
  lostWorldRecords: [
    {
      map: map('c'),
      record: 'lost',
      finishTime: 42_000,
      from: '2026-01-01T00:00:00Z',
      until: '2026-01-03T00:00:00Z',
      milliseconds: 2 * 86_400_000,
      brokenBy: {
        record: 'new',
        player: { _id: 'rain', name: 'Rain', skinImageUrl: null, skinColor: null },
        finishTime: 41_900,
      },
    },
  ],
  bestPlacements: [{ map: map('b'), mode: 'VTOL', rank: 2, of: 34, record: 'p', finishTime: 41267 }],
  activity: [
    { month: '2026-01', records: 4 },
    { month: '2026-02', records: 0 },
  ],
})

const improved: ImprovedMap = {
  map: map('a'),
  mapVersion: 1,
  mode: 'Classic',
  firstFinishTime: 44_000,
  best: { _id: 'best', finishTime: 41_000, createdAt: '2026-02-01T00:00:00Z' },
  improvements: 1,
  improvedBy: 3000,
}

function serve(data: PlayerStatistics = statistics, maps = [improved]) {
  server.use(
    http.get(url('/players/:id/statistics'), () => HttpResponse.json({ success: true, data })),
    http.get(url('/players/:id/improvements'), () => HttpResponse.json(page(maps, { total: maps.length }))),
    http.get(url('/players/:id/improvements/:map'), () =>
      HttpResponse.json({
        success: true,
        data: [
          { _id: 'first', finishTime: 44_000, createdAt: '2026-01-01T00:00:00Z', improvedBy: null },
          { ...improved.best, improvedBy: 3000 },
        ],
      }),
    ),
  )
}

beforeEach(() => {
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

it('shows the finished maps by mode and medal', async () => {
  serve()
  renderRoute(path)
  expect(await screen.findByText('12 of 75 maps')).toBeVisible()
  const finished = await screen.findByRole('table', { name: 'Finished maps by mode', busy: false })
  expect(textOf(finished)).toEqual([
    'ModeFinishedShareAuthorGoldSilverBronzeNo medal',
    'Classic9 of 4012321',
    'Unknown3 of 3500102',
  ])
})

it('counts one map of the site', async () => {
  serve({ ...statistics, finished: { ...statistics.finished, total: 1, of: 1 } })
  renderRoute(path)
  expect(await screen.findByText('1 of 1 map')).toBeVisible()
})

it('shows world records, the longest reign, and the best placements', async () => {
  serve()
  renderRoute(path)
  const reign = await screen.findByRole('link', { name: '3 days' })
  expect(reign).toHaveAttribute('href', '/record/r')
  expect(reign.parentElement).toHaveTextContent('3 days on Map a, since 1 Jan 2026')
  expect(screen.getByText('Held now').nextSibling).toHaveTextContent(/^2$/)
  expect(screen.getByText('Ever held').nextSibling).toHaveTextContent(/^5$/)
  const placements = await screen.findByRole('table', { name: 'Best placements', busy: false })
  expect(textOf(placements)).toEqual(['MapModePlaceTime', 'Map bVTOL2 of 3400:41.27'])
  expect(within(placements).getByRole('link', { name: '00:41.27' })).toHaveAttribute('href', '/record/p')
})

it('shows the lost world records with who broke them', async () => {
  serve()
  renderRoute(path)
  const lost = await screen.findByRole('table', { name: 'Lost world records', busy: false })
  expect(textOf(lost)).toEqual(['MapTimeBroken byNew timeLostHeld for', 'Map c00:42.00RRain00:41.903 Jan 20262 days'])
  expect(within(lost).getByRole('link', { name: '00:42.00' })).toHaveAttribute('href', '/record/lost')
  expect(within(lost).getByRole('link', { name: 'Rain' })).toHaveAttribute('href', '/player/rain')
  expect(within(lost).getByRole('link', { name: '00:41.90' })).toHaveAttribute('href', '/record/new')
})

it('shows the activity of each month to readers of screens, too', async () => {
  serve()
  renderRoute(path)
  expect(textOf(await screen.findByRole('table', { name: 'Activity by month', busy: false }))).toEqual([
    'MonthRecords',
    'Jan 20264',
    'Feb 20260',
  ])
  expect(screen.getByText('4 records in the last 24 months')).toBeVisible()
})

it('says which version of a map was improved, from the second on', async () => {
  serve(statistics, [improved, { ...improved, map: { ...improved.map, _id: 'a2' }, mapVersion: 2 }])
  renderRoute(path)
  const rows = textOf(await screen.findByRole('table', { name: 'Improvement by map', busy: false }))
  expect(rows.slice(1)).toEqual(['Map a00:44.0000:41.0000:03.001Steps', 'Map aVersion 200:44.0000:41.0000:03.001Steps'])
  expect(screen.getByRole('button', { name: 'Steps on Map a (version 2)' })).toBeVisible()
})

it('shows the steps on a map as a picture and a table, and hides them again', async () => {
  serve()
  const { user } = renderRoute(path)
  expect(textOf(await screen.findByRole('table', { name: 'Improvement by map', busy: false }))).toContain(
    'Map a00:44.0000:41.0000:03.001Steps',
  )
  const button = screen.getByRole('button', { name: 'Steps on Map a' })
  await user.click(button)
  expect(
    await screen.findByRole('img', { name: 'The personal best on Map a went from 00:44.00 to 00:41.00 in 2 records.' }),
  ).toBeVisible()
  expect(textOf(screen.getByRole('table', { name: 'Steps on Map a' }))).toEqual([
    'DateTimeFaster by',
    '1 Jan 202600:44.00First record',
    '1 Feb 202600:41.00-00:03.00',
  ])
  await user.click(button)
  expect(screen.queryByRole('table', { name: 'Steps on Map a' })).not.toBeInTheDocument()
})

it('has the page of improvements in the address, beside the others', async () => {
  serve()
  const asked: string[] = []
  server.use(
    http.get(url('/players/:id/improvements'), ({ request }) => {
      const offset = Number(new URL(request.url).searchParams.get('offset'))
      asked.push(String(offset))
      return HttpResponse.json(page([{ ...improved, map: map(String(offset)) }], { total: 12, limit: 5 }))
    }),
  )
  const { user, router } = renderRoute(`${path}&page=2&improvementsPage=2`)
  expect(await screen.findByRole('link', { name: 'Map 5' })).toBeVisible()
  expect(asked).toEqual(['5'])
  const pages = within(screen.getByRole('navigation', { name: 'Pages of improvements' }))
  await user.click(pages.getByRole('button', { name: 'Next' }))
  await waitFor(() => expect(router.state.location.search).toBe('?tab=statistics&page=2&improvementsPage=3'))
  await user.click(pages.getByRole('button', { name: 'First' }))
  await waitFor(() => expect(router.state.location.search).toBe('?tab=statistics&page=2'))
  await act(() => router.navigate(-1))
  expect(await screen.findByRole('link', { name: 'Map 10' })).toBeVisible()
})

it('says that there is nothing yet', async () => {
  renderRoute(path)
  expect(await screen.findByText('No improvements yet.')).toBeVisible()
  expect(screen.getByText('No places yet.')).toBeVisible()
  expect(screen.getByText('No lost world records.')).toBeVisible()
  expect(screen.getByText('Longest reign').nextSibling).toHaveTextContent(/^None yet$/)
})

it('keeps the rest of the profile where the statistics fail, and tries again', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  let refuse = () => {}
  const shown = new Promise<void>((resolve) => (refuse = resolve))
  server.use(http.get(url('/players/:id/statistics'), () => shown.then(() => problem(500))))
  const { user } = renderRoute(path)
  await screen.findByRole('region', { name: 'Statistics' })
  refuse()
  expect(await screen.findByRole('alert')).toHaveTextContent('This could not be loaded.')
  expect(screen.getByRole('heading', { level: 1, name: 'cloudstep' })).toBeVisible()
  serve()
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('12 of 75 maps')).toBeVisible()
})
