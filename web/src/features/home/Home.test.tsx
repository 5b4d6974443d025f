import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { config } from '@/config'
import { paths } from '@/routes/paths'
import { aGroup, aMap, aRanking, aRankingRow, aRecord, cloudstep, mossfoot, page, playerPoints } from '@/test/fixtures'
import { reload, renderPart, renderRoute } from '@/test/render'
import { problem, server, url } from '@/test/server'
import { FirstSteps } from './FirstSteps'

const asked: Record<string, string> = {}

beforeEach(() => {
  server.use(
    http.get(url('/stats'), () =>
      HttpResponse.json({ success: true, data: { totalMaps: 73, totalPlayers: 201, totalRecords: 3074 } }),
    ),
    http.get(url('/records/world-records'), ({ request }) => {
      asked.worldRecords = new URL(request.url).searchParams.toString()
      const { createdAt: _, ...record } = aRecord({ player: mossfoot })
      const createdAt = new Date(Date.now() - 3 * 60_000 - 5000).toISOString()
      return HttpResponse.json({
        success: true,
        data: [{ ...record, createdAt, mapPictureUrl: '/media/maps/a-drawn.webp', previousWorldRecord: 41_600 }],
      })
    }),
    http.get(url('/rankings'), ({ request }) => {
      asked.rankings = new URL(request.url).searchParams.toString()
      return HttpResponse.json(aRanking([aRankingRow({ player: mossfoot })]))
    }),
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
    // On a phone the map is below its player.
    const links = within(row).getAllByRole('link', { name: 'Skyline Run' })
    expect(links.map((link) => link.getAttribute('href'))).toEqual(Array(2).fill(`/leaderboard/${aRecord().map._id}`))
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

  it('shows the newest world records with the picture of the map, and how long ago they were made', async () => {
    renderRoute('/')
    const section = (await screen.findByRole('heading', { name: 'New World Records' })).closest(
      'section',
    ) as HTMLElement
    const row = await within(section).findByRole('listitem')
    expect(within(row).getByRole('link', { name: 'Skyline Run' })).toHaveAttribute(
      'href',
      `/leaderboard/${aRecord().map._id}`,
    )
    expect(within(row).getByRole('link', { name: 'mossfoot' })).toBeVisible()
    expect(within(row).getByRole('link', { name: '00:41.27' })).toHaveAttribute('href', `/record/${aRecord()._id}`)
    expect(row).toHaveTextContent('-00:00.33')
    expect(row).toHaveTextContent('3 minutes ago')
    expect(row.querySelector('img')).toHaveAttribute('src', '/media/maps/a-drawn.webp')
    expect(asked.worldRecords).toBe('limit=5')
  })

  it('shows who leads this month', async () => {
    renderRoute('/')
    const section = (await screen.findByRole('heading', { name: 'Top 5 This Month' })).closest('section') as HTMLElement
    const row = await within(section).findByRole('listitem')
    expect(within(row).getByRole('link', { name: 'mossfoot' })).toBeVisible()
    expect(within(section).getByRole('link', { name: 'Whole ranking' })).toHaveAttribute(
      'href',
      '/rankings?period=month',
    )
    expect(new URLSearchParams(asked.rankings)).toEqual(new URLSearchParams('by=points&period=month&page=1&limit=5'))
  })

  it('leads a visitor to a first record in three steps', async () => {
    renderRoute('/')
    const section = (await screen.findByRole('heading', { name: 'Your First Record' })).closest(
      'section',
    ) as HTMLElement
    expect(within(section).getAllByRole('listitem')).toHaveLength(3)
    expect(within(section).getByRole('link', { name: 'Ask in the chat' })).toHaveAttribute('href', config.chatUrl)
    expect(within(section).getByRole('link', { name: 'Open Bonk.io' })).toHaveAttribute('href', config.game.url)
    expect(within(section).getByRole('link', { name: 'Submit Record' })).toHaveAttribute('href', '/replay-submit')
  })

  it('links the mod where its address is known', () => {
    vi.spyOn(config, 'modUrl', 'get').mockReturnValue('https://mod.test')
    renderPart(<FirstSteps />)
    expect(screen.getByRole('link', { name: 'Get the replay mod' })).toHaveAttribute('href', 'https://mod.test')
    expect(screen.queryByRole('link', { name: 'Ask in the chat' })).not.toBeInTheDocument()
  })

  describe('for a player', () => {
    beforeEach(() => {
      const { map } = aRecord()
      server.use(
        http.get(url('/players/:id/points'), () =>
          HttpResponse.json({
            success: true,
            data: playerPoints([], { player: aRecord().player, total: 412.5, rank: 12, ranked: 131 }),
            pagination: { total: 0, offset: 0, limit: 1 },
          }),
        ),
        http.get(url('/records/goals'), () =>
          HttpResponse.json({
            success: true,
            data: {
              kind: 'goals',
              goals: [
                {
                  map,
                  mode: 'Classic',
                  best: { finishTime: 44_467, rank: 14, medal: 'silver' },
                  target: { kind: 'medal', medal: 'gold', rank: null, finishTime: 43_733 },
                  gap: 734,
                  relativeGap: 0.0165,
                  medalTimes: { author: 41_267, gold: 43_733, silver: 49_533, bronze: 61_900 },
                },
              ],
            },
          }),
        ),
        http.get(url('/inbox'), () =>
          HttpResponse.json({ success: true, data: [aGroup()], pagination: { limit: 3, next: null } }),
        ),
        http.get(url('/inbox/count'), () => HttpResponse.json({ success: true, data: { unread: 1 } })),
        http.get(url('/records/progress'), () => HttpResponse.json({ success: true, data: [] })),
      )
    })

    it('has rank, points, the next goal and news in the place of the introduction, and asks nobody to join', async () => {
      renderRoute('/', { user: cloudstep })
      expect(await screen.findByRole('heading', { level: 1, name: 'Welcome back, cloudstep' })).toBeVisible()
      expect(await screen.findByRole('link', { name: '#12 of 131' })).toBeVisible()
      expect(screen.getByText('412.5')).toBeVisible()
      const goal = (await screen.findByRole('heading', { name: 'Your next goal' })).closest('section') as HTMLElement
      expect(await within(goal).findByRole('link', { name: 'Skyline Run' })).toBeVisible()
      expect(goal).toHaveTextContent('0.73 s to go')
      const news = screen.getByRole('heading', { name: 'News for you' }).closest('section') as HTMLElement
      expect(await within(news).findByRole('listitem')).toBeVisible()
      for (const name of ['Join the community', 'Your First Record', 'Find a map. Beat the clock.']) {
        expect(screen.queryByRole('heading', { name })).not.toBeInTheDocument()
      }
    })

    it('says what has changed since the last visit', async () => {
      const before = { points: 400.1, rank: 14, at: Date.now() - 2 * 86_400_000 }
      localStorage.setItem(`capzone-visits:${cloudstep._id}`, JSON.stringify({ before: null, last: before }))
      renderRoute('/', { user: cloudstep })
      expect(await screen.findByText('Since your last visit:')).toBeVisible()
      expect(screen.getByText('2 days ago')).toBeVisible()
      expect(screen.getByText(/\+12\.4 points/).parentElement).toHaveTextContent('+12.4 points, 2 places up')
    })
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
