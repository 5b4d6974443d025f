import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { paths } from '@/routes/paths'
import { aMap, aRecord, cloudstep, page } from '@/test/fixtures'
import { reload, renderRoute } from '@/test/render'
import { problem, server, url } from '@/test/server'

const asked: Record<string, string> = {}

beforeEach(() => {
  server.use(
    http.get(url('/stats'), () =>
      HttpResponse.json({ success: true, data: { totalMaps: 73, totalPlayers: 201, totalRecords: 3074 } }),
    ),
    http.get(url('/maps/search'), ({ request }) => {
      asked.maps = new URL(request.url).searchParams.toString()
      return HttpResponse.json(page(['a', 'b', 'c', 'd'].map((_id) => aMap({ _id, name: `Map ${_id}` }))))
    }),
    http.get(url('/records'), ({ request }) => {
      asked.records = new URL(request.url).searchParams.toString()
      return HttpResponse.json({
        success: true,
        data: [aRecord()],
        pagination: { total: 1, offset: 0, limit: 5 },
      })
    }),
  )
})

describe('the home page', () => {
  it('leads to maps and players', async () => {
    renderRoute('/')
    expect(await screen.findByRole('link', { name: 'Explore Maps' })).toHaveAttribute('href', paths.allMaps)
    expect(screen.getByRole('link', { name: 'View Players' })).toHaveAttribute('href', '/player-search')
  })

  it('counts maps, players and records', async () => {
    renderRoute('/')
    expect(await screen.findByText('73')).toBeVisible()
    for (const [label, value] of [
      ['Total Maps', '73'],
      ['Registered Players', '201'],
      ['Submitted Records', '3,074'],
    ] as const) {
      expect(screen.getByText(label).closest('dt')?.parentElement).toHaveTextContent(value)
    }
  })

  it('shows the 4 newest maps', async () => {
    renderRoute('/')
    expect(await screen.findByRole('link', { name: 'Map d' })).toHaveAttribute('href', '/leaderboard/d')
    expect(screen.getAllByRole('article')).toHaveLength(4)
    expect(new URLSearchParams(asked.maps)).toEqual(new URLSearchParams('sortBy=createdAt&sortDir=desc&limit=4'))
    expect(screen.getByRole('link', { name: 'View All Maps' })).toHaveAttribute('href', paths.allMaps)
  })

  it('shows the 5 newest records, which lead to players and leaderboards', async () => {
    renderRoute('/')
    const table = await screen.findByRole('table', { name: 'Recent records', busy: false })
    const row = await within(table).findByRole('row', { name: /cloudstep/ })
    expect(
      within(table)
        .getAllByRole('columnheader')
        .map((cell) => cell.textContent),
    ).toEqual(['Player', 'Map', 'Time'])
    expect(row).toHaveTextContent(/00:41\.27.*11 May 2026/)
    expect(within(row).getByRole('link', { name: 'cloudstep' })).toHaveAttribute('href', `/player/${cloudstep._id}`)
    expect(within(row).getByRole('link', { name: 'Skyline Run' })).toHaveAttribute(
      'href',
      `/leaderboard/${aRecord().map._id}`,
    )
    expect(new URLSearchParams(asked.records)).toEqual(new URLSearchParams('sortBy=updatedAt&sortDir=desc&limit=5'))
  })

  it('keeps the maps and records that it has when they cannot be loaded again', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    const { store } = renderRoute('/')
    await screen.findByRole('row', { name: /cloudstep/ })
    await screen.findByRole('link', { name: 'Map d' })
    server.use(http.get(url('/*'), () => problem(500)))
    await reload(store, ['Record', 'Map'])
    for (const text of ['Failed to load recent maps', 'Failed to load recent records']) {
      await waitFor(() => expect(logged).toHaveBeenCalledWith(text, expect.anything()))
    }
    expect(screen.getByRole('row', { name: /cloudstep/ })).toBeVisible()
    expect(screen.getByRole('link', { name: 'Map d' })).toBeVisible()
  })

  it('says that there are no records', async () => {
    server.use(
      http.get(url('/records'), () =>
        HttpResponse.json({ success: true, data: [], pagination: { total: 0, offset: 0, limit: 5 } }),
      ),
    )
    renderRoute('/')
    expect(await screen.findByText('No recent records found.')).toBeVisible()
  })

  it('invites to join with the login button', async () => {
    renderRoute('/')
    const heading = await screen.findByRole('heading', { name: 'Join the community' })
    const section = heading.closest('section') as HTMLElement
    expect(within(section).getByRole('link', { name: 'Login with Bonk.io' })).toHaveAttribute(
      'href',
      '/login-with-bonk',
    )
  })

  it.each([
    ['Failed to load recent maps', () => problem(500, { message: 'Out of order.' })],
    ['Error fetching recent maps', () => HttpResponse.error()],
  ])('only logs what it cannot fetch: %s', async (text, answer) => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    server.use(http.get(url('/*'), answer))
    renderRoute('/')
    await waitFor(() => expect(logged).toHaveBeenCalledWith(text, expect.anything()))
    await waitFor(() => {
      expect(screen.getByText('The records could not be loaded.')).toBeVisible()
      expect(screen.getByText('The maps could not be loaded.')).toBeVisible()
    })
    expect(screen.queryByText('Out of order.')).not.toBeInTheDocument()
    expect(screen.queryByText(text)).not.toBeInTheDocument()
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
    expect(screen.queryByText('No maps found.')).not.toBeInTheDocument()
  })
})
