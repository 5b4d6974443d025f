import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, it, vi } from 'vitest'
import type { Comparison } from '@/api'
import { aPlayer, cloudstep, page, someRecordDetails } from '@/test/fixtures'
import { renderRoute } from '@/test/render'
import { problem, server, url } from '@/test/server'

const mossfoot = { _id: 'moss', name: 'mossfoot', skinImageUrl: null, skinColor: null }
const path = `/compare/${cloudstep._id}/moss`

const compared = (id: string, difference: number) => ({
  map: { _id: id, name: `Map ${id}` },
  mode: 'Classic',
  player: { _id: `${id}-p`, finishTime: 40_000 + difference },
  opponent: { _id: `${id}-o`, finishTime: 40_000 },
  difference,
})

const comparison: Comparison = {
  player: { _id: cloudstep._id, name: 'cloudstep', skinImageUrl: null, skinColor: null },
  opponent: mossfoot,
  score: { wins: 12, losses: 9, ties: 2 },
  modes: [
    { mode: 'Classic', score: { wins: 10, losses: 2, ties: 0 } },
    { mode: 'VTOL', score: { wins: 2, losses: 7, ties: 2 } },
  ],
  maps: [compared('a', -300), compared('b', 0), compared('c', 1200)],
}

const asked: string[] = []

function serve(data: Comparison = comparison, total = 23) {
  asked.length = 0
  server.use(
    http.get(url('/players/:id/compare/:opponent'), ({ request }) => {
      const { pathname, searchParams } = new URL(request.url)
      searchParams.sort()
      asked.push(`${pathname.replace('/api/v1', '')}?${searchParams}`)
      return HttpResponse.json({ success: true, data, pagination: { total, offset: 0, limit: 20 } })
    }),
  )
}

it('shows both players with their score, in all and by mode', async () => {
  serve()
  renderRoute(path)
  expect(await screen.findByRole('heading', { level: 1, name: 'cloudstep against mossfoot' })).toBeVisible()
  await waitFor(() => expect(document.title).toMatch(/^cloudstep against mossfoot · /))
  const score = screen.getByRole('region', { name: 'Score' })
  expect(score).toHaveTextContent(/cloudstep12Faster2Ties.*mossfoot9Faster/)
  expect(screen.getByText('cloudstep leads.')).toBeVisible()
  const modes = within(screen.getByRole('table', { name: 'Score by game mode' }))
  expect(modes.getAllByRole('row').map((row) => row.textContent)).toEqual([
    'ModecloudstepTiesmossfoot',
    'Classic1002',
    'VTOL227',
  ])
  expect(screen.getByRole('link', { name: 'Swap the players' })).toHaveAttribute(
    'href',
    `/compare/moss/${cloudstep._id}`,
  )
})

it('shows both times on each map, and who is faster by how much', async () => {
  serve()
  renderRoute(path)
  const table = within(await screen.findByRole('table', { name: 'Maps that both have finished', busy: false }))
  await table.findByRole('link', { name: 'Map a' })
  const rows = table.getAllByRole('row').slice(1)
  expect(rows.map((row) => within(row).getAllByRole('cell').at(-1)?.textContent)).toEqual([
    'cloudstep by 00:00.30',
    'Tie',
    'mossfoot by 00:01.20',
  ])
  expect(table.getByRole('link', { name: '00:39.70' })).toHaveAttribute('href', '/record/a-p')
  expect(table.getByRole('link', { name: 'Map a' })).toHaveAttribute('href', '/leaderboard/a')
  expect(screen.getByText('23 maps')).toHaveAttribute('role', 'status')
})

it('keeps the order, the filter and the page in the address', async () => {
  serve()
  const { user, router } = renderRoute(path)
  await user.click(await screen.findByRole('button', { name: 'Biggest difference first' }))
  await waitFor(() => expect(router.state.location.search).toBe('?sortBy=biggest'))
  await user.click(await screen.findByRole('button', { name: 'Next' }))
  await waitFor(() => expect(router.state.location.search).toBe('?sortBy=biggest&page=2'))
  await user.click(screen.getByRole('button', { name: 'cloudstep is behind by less than half a second' }))
  await waitFor(() => expect(router.state.location.search).toBe('?sortBy=biggest&behind=close'))
  expect(screen.getByRole('button', { name: 'Biggest difference first' })).toHaveAttribute('aria-pressed', 'true')
  const calls = `/players/${cloudstep._id}/compare/moss`
  await waitFor(() =>
    expect(asked).toEqual([
      `${calls}?limit=20&offset=0&sortBy=closest`,
      `${calls}?limit=20&offset=0&sortBy=biggest`,
      `${calls}?limit=20&offset=20&sortBy=biggest`,
      `${calls}?behindBelow=500&limit=20&offset=0&sortBy=biggest`,
    ]),
  )
})

it.each([
  ['', 'There is no map yet that both players have finished.'],
  ['?behind=close', 'There is no map on which cloudstep is behind by less than half a second.'],
])('says why no maps are listed at "%s"', async (search, hint) => {
  serve({ ...comparison, score: { wins: 0, losses: 0, ties: 0 }, modes: [], maps: [] }, 0)
  renderRoute(path + search)
  expect(await screen.findByText(/no map/)).toHaveTextContent(hint)
  expect(screen.getByText('Neither leads.')).toBeVisible()
})

it('replaces the address of a player who was merged into another', async () => {
  serve()
  const { router } = renderRoute('/compare/old/moss?sortBy=biggest')
  await screen.findByRole('heading', { level: 1, name: 'cloudstep against mossfoot' })
  const { pathname, search } = router.state.location
  expect(pathname + search).toBe(`${path}?sortBy=biggest`)
  expect(router.state.historyAction).toBe('REPLACE')
})

it.each([
  [422, 'same_player', 'Both sides are the same player', 'View Profile', `/player/${cloudstep._id}`],
  [404, 'player_unknown', 'Player Not Found', 'View Players', '/player-search'],
])('explains a %i (%s)', async (status, code, title, link, target) => {
  server.use(http.get(url('/players/:id/compare/:opponent'), () => problem(status, { code })))
  renderRoute(path)
  expect(await screen.findByText(title)).toBeVisible()
  expect(screen.getByRole('link', { name: link })).toHaveAttribute('href', target)
})

it('offers to try again where the players cannot be compared', async () => {
  server.use(
    http.get(url('/players/:id/compare/:opponent'), async () => {
      // A page that is opened after an error asks again by itself.
      await vi.waitFor(() => screen.getByRole('status', { name: 'Comparing the players' }), { timeout: 30_000 })
      return problem(500)
    }),
  )
  const { user } = renderRoute(path)
  expect(await screen.findByRole('alert')).toHaveTextContent('This could not be loaded.')
  serve()
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'cloudstep against mossfoot' })).toBeVisible()
})

it('is linked from the profiles and the records of others', async () => {
  server.use(
    http.get(url('/players/:id'), ({ params }) =>
      HttpResponse.json({ success: true, data: aPlayer({ _id: String(params.id) }) }),
    ),
    http.get(url('/records'), () => HttpResponse.json(page([]))),
    http.get(url('/maps/*'), () => HttpResponse.json(page([]))),
    http.get(url('/records/:id'), () =>
      HttpResponse.json({ success: true, data: someRecordDetails({ player: mossfoot }) }),
    ),
    http.get(url('/records/:id/verification'), () =>
      HttpResponse.json({ success: true, data: { checkedAt: '2026-11-08T10:00:00Z', checks: [], notChecked: [] } }),
    ),
  )
  const profile = renderRoute('/player/moss', { user: cloudstep })
  expect(await screen.findByRole('link', { name: 'Compare with me' })).toHaveAttribute('href', path)
  profile.unmount()
  const own = renderRoute(`/player/${cloudstep._id}`, { user: cloudstep })
  await screen.findByRole('button', { name: 'Edit avatar' })
  expect(screen.queryByRole('link', { name: 'Compare with me' })).not.toBeInTheDocument()
  own.unmount()
  renderRoute('/record/r', { user: cloudstep })
  expect(await screen.findByRole('link', { name: 'Compare with me' })).toHaveAttribute('href', path)
})
