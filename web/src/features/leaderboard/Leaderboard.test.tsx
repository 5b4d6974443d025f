import { act, screen, waitFor, within } from '@testing-library/react'
import { delay, HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { PublicReason } from '@/api/desk'
import { recordExpected, recordSubmitted, type SubmissionResult } from '@/entities/record/submission'
import { paths } from '@/routes/paths'
import type { AppStore } from '@/store/store'
import { aMap, aRecord, cloudstep, mapPoints, page, playerPoints } from '@/test/fixtures'
import { reload, renderRoute } from '@/test/render'
import { problem, server, url } from '@/test/server'

const asked: string[] = []
const path = `/leaderboard/${aMap()._id}`

beforeEach(() => {
  asked.length = 0
})

// 23 players, each a second slower than the one before; cloudstep is the 14th.
const runs = Array.from({ length: 23 }, (_, i) =>
  aRecord({
    _id: `run-${i + 1}`,
    rank: i + 1,
    finishTime: 41267 + i * 1000,
    gap: { toAbove: Math.min(i, 1) * 1000, toFirst: i * 1000 },
    medal: i < 1 ? 'author' : i < 3 ? 'gold' : i < 9 ? 'silver' : i < 21 ? 'bronze' : null,
    player: {
      _id: i === 13 ? cloudstep._id : `player-${i + 1}`,
      name: i === 13 ? 'cloudstep' : `runner${i + 1}`,
      skinImageUrl: null,
      skinColor: null,
    },
  }),
)

function serve({ map = aMap(), all = runs } = {}) {
  server.use(
    http.get(url('/maps/:id'), () => HttpResponse.json({ success: true, data: map })),
    http.get(url('/records'), ({ request }) => {
      const { searchParams } = new URL(request.url)
      asked.push(searchParams.toString())
      const around = all.findIndex((run) => run.player._id === searchParams.get('around'))
      if (searchParams.has('around')) {
        const data = around < 0 ? [] : all.slice(Math.max(0, around - 5), around + 6)
        return HttpResponse.json({ success: true, data, pagination: { total: all.length, offset: 0, limit: 11 } })
      }
      const [offset, limit, player] = [
        Number(searchParams.get('offset')),
        Number(searchParams.get('limit')),
        searchParams.get('player'),
      ]
      const found = player ? all.filter((run) => run.player._id === player) : all
      return HttpResponse.json({
        success: true,
        data: found.slice(offset, offset + limit),
        pagination: { total: found.length, offset, limit },
      })
    }),
  )
}

// allAnswered waits until no request is under way, and what follows from the answers has been drawn.
async function allAnswered(store: AppStore) {
  await waitFor(() =>
    expect(Object.values(store.getState().api.queries).some((query) => query?.status === 'pending')).toBe(false),
  )
  await act(() => new Promise((resolve) => setTimeout(resolve)))
}

const row = (name: RegExp) => screen.findByRole('row', { name })

describe('a leaderboard', () => {
  it('asks for ten records by finish time, then time stamp', async () => {
    serve()
    renderRoute(path)
    await row(/runner1 /)
    expect(new URLSearchParams(asked[0])).toEqual(
      new URLSearchParams(`map=${aMap()._id}&sortBy=finishTime,finishTimeStamp&sortDir=asc,asc&offset=0&limit=10`),
    )
  })

  it('has a table with rank, player, time, date and replay', async () => {
    serve()
    renderRoute(path)
    const first = await row(/runner1 /)
    const table = screen.getByRole('table', { name: 'Leaderboard' })
    expect(
      within(table)
        .getAllByRole('columnheader')
        .map((cell) => cell.textContent),
    ).toEqual(['#', 'Player', 'Time', 'Gap above', 'Gap to first', 'Date', 'Replay'])
    expect(first).toHaveTextContent('00:41.27')
    expect(first).toHaveTextContent('11 May 2026')
    expect(within(first).getByRole('link', { name: 'runner1' })).toHaveAttribute('href', '/player/player-1')
    expect(within(first).getByRole('link', { name: 'Download the replay of runner1' })).toHaveAttribute(
      'href',
      '/api/v1/download/replays/run-1',
    )
  })

  it('writes a rank like other numbers', async () => {
    serve({ all: [aRecord({ rank: 1204 })] })
    renderRoute(path)
    expect(within(await row(/cloudstep/)).getByRole('cell', { name: '1,204' })).toBeVisible()
  })

  it('has the points where the map gives some, and what each place is worth', async () => {
    serve({ all: runs.map((run, i) => (i < 2 ? { ...run, points: 600 - 65.8 * i } : run)) })
    server.use(http.get(url('/maps/:id/points'), () => HttpResponse.json({ success: true, data: mapPoints() })))
    const { user } = renderRoute(path)
    expect(within(await row(/runner2 /)).getByRole('cell', { name: '534.2' })).toBeVisible()
    const card = screen.getByRole('region', { name: 'World record' })
    await waitFor(() => expect(card).toHaveTextContent('600.0 points for the 1st, 18.0 for the 31st'))
    expect(within(card).getByRole('link', { name: 'How points work' })).toHaveAttribute('href', '/rankings/formula')
    await user.click(within(card).getByRole('button', { name: 'All places' }))
    const places = within(within(card).getByRole('table', { name: 'Points by place' }))
    expect(places.getAllByRole('row')[2]).toHaveTextContent('2nd18.0446.669.6534.2')
  })

  it.each([
    ['finishers', 'No points yet: 3 of the 5 ranked players who must have finished the map have done so.'],
    ['superseded', 'No points: the map has a newer version.'],
    ['unranked', 'No points: moderators have unranked the map.'],
    ['unranked', 'No points: moderators have unranked the map. It cannot be finished.', 'broken'],
  ] as const)('says why a map gives no points: %s', async (reason, text, publicReason: PublicReason | null = null) => {
    serve()
    server.use(
      http.get(url('/maps/:id/points'), () =>
        HttpResponse.json({
          success: true,
          data: mapPoints({ ranked: false, reason, publicReason, finishers: 3, places: [] }),
        }),
      ),
    )
    renderRoute(path)
    expect(await screen.findByText(text)).toBeVisible()
    expect(screen.queryByRole('columnheader', { name: 'Points' })).not.toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'All places' })).not.toBeInTheDocument()
  })

  it.each([
    ['runner1 ', 'Author medal'],
    ['runner2 ', 'Gold medal'],
    ['runner5 ', 'Silver medal'],
    ['runner10 ', 'Bronze medal'],
  ])('shows %s the medal of the time: %s', async (name, medal) => {
    serve()
    renderRoute(path)
    expect(await within(await row(new RegExp(name))).findByRole('img', { name: medal })).toBeVisible()
  })

  it('shows no medal beyond the bronze time', async () => {
    serve()
    renderRoute(`${path}?page=3`)
    expect(within(await row(/runner23 /)).queryByRole('img')).not.toBeInTheDocument()
  })

  it('is paged with First, Previous, Next and Last', async () => {
    serve()
    const { user, router } = renderRoute(path)
    await row(/runner1 /)
    const paging = within(screen.getByRole('navigation', { name: 'Pages of the leaderboard' }))
    const press = (name: string) => user.click(paging.getByRole('button', { name }))
    expect(paging.getByText('Page 1 of 3')).toBeVisible()
    expect(paging.getByRole('button', { name: 'First' })).toBeDisabled()
    expect(paging.getByRole('button', { name: 'Previous' })).toBeDisabled()
    await press('Next')
    await row(/runner11 /)
    expect(paging.getByText('Page 2 of 3')).toBeVisible()
    await press('Last')
    await row(/runner23 /)
    expect(paging.getByRole('button', { name: 'Last' })).toBeDisabled()
    expect(router.state.location.search).toBe('?page=3')
    await press('Previous')
    await row(/runner20 /)
    await press('First')
    await row(/runner1 /)
    expect(router.state.location.search).toBe('')
  })

  it('shows by how much each row is behind the one above, also on another page, and the first', async () => {
    serve()
    renderRoute(`${path}?page=2`)
    const cells = within(await row(/runner11 /)).getAllByRole('cell')
    expect(cells[3]).toHaveTextContent('+00:01.0000:01.00 behind the row above')
    expect(cells[4]).toHaveTextContent('+00:10.0000:10.00 behind the first')
  })

  it('has the gap above below the time, where it has no column', async () => {
    serve()
    renderRoute(path)
    const [, , first] = within(await row(/runner1 /)).getAllByRole('cell')
    const [, , second] = within(await row(/runner2 /)).getAllByRole('cell')
    expect(first).not.toHaveTextContent('behind')
    expect(second).toHaveTextContent('+00:01.0000:01.00 behind the row above11 May 2026')
  })

  it('says with whom a player is tied: by name, or by place where the row above is on another page', async () => {
    serve({
      all: runs.map((run, i) => ([4, 10].includes(i) ? { ...run, gap: { toAbove: 0, toFirst: i * 1000 } } : run)),
    })
    const { user } = renderRoute(path)
    expect(within(await row(/runner5 /)).getAllByRole('cell')[3]).toHaveTextContent(/^Tied with runner4$/)
    await user.click(screen.getByRole('button', { name: 'Next' }))
    expect(within(await row(/runner11 /)).getAllByRole('cell')[3]).toHaveTextContent(/^Tied with 10th$/)
  })

  it('shows no gap of the first', async () => {
    serve()
    renderRoute(path)
    const cells = within(await row(/runner1 /)).getAllByRole('cell')
    expect(cells[3]).toBeEmptyDOMElement()
    expect(cells[4]).toBeEmptyDOMElement()
  })

  it('has your own record of another page below the rows', async () => {
    serve()
    const { user } = renderRoute(path, { user: cloudstep })
    const own = await row(/cloudstep/)
    expect(own).toHaveTextContent('14')
    expect(own).toHaveTextContent('You')
    expect(own).toHaveAttribute('aria-current', 'true')
    const rows = () => within(screen.getByRole('table', { name: 'Leaderboard' })).getAllByRole('row')
    expect(rows().at(-1)).toHaveTextContent('cloudstep')
    await user.click(screen.getByRole('button', { name: 'Next' }))
    await row(/runner11 /)
    expect(screen.getAllByRole('row', { name: /cloudstep/ })).toHaveLength(1)
    expect(rows().at(-1)).toHaveTextContent('runner20')
  })

  it('shows the rows around your own, and leads back', async () => {
    serve()
    const { user, router } = renderRoute(path, { user: cloudstep })
    await user.click(await screen.findByRole('link', { name: 'Show my row' }))
    await row(/runner9 /)
    expect(router.state.location.search).toBe('?around=me')
    expect(within(screen.getByRole('table', { name: 'Leaderboard' })).getAllByRole('row')).toHaveLength(12)
    await waitFor(() => expect(screen.getByRole('row', { name: /cloudstep/ })).toHaveFocus())
    expect(screen.queryByRole('navigation', { name: 'Pages of the leaderboard' })).not.toBeInTheDocument()
    await user.click(screen.getByRole('link', { name: 'Whole leaderboard' }))
    await row(/runner1 /)
    expect(router.state.location.search).toBe('')
  })

  it('asks for the rows around your own only, where the address names them', async () => {
    serve()
    renderRoute(`${path}?around=me`, { user: cloudstep })
    await row(/runner9 /)
    expect(asked.filter((query) => !query.includes('player='))).toEqual([expect.stringContaining('around=')])
  })

  it('shows the rows of followed players, also the second page, and leads back', async () => {
    serve()
    const { user, router } = renderRoute(path, { user: cloudstep })
    await user.click(await screen.findByRole('link', { name: 'Following' }))
    await waitFor(() => expect(asked.at(-1)).toContain('following=true'))
    await user.click(await screen.findByRole('button', { name: 'Next' }))
    expect(router.state.location.search).toBe('?following=true&page=2')
    await waitFor(() => expect(asked.at(-1)).toContain('following=true&'))
    await user.click(await screen.findByRole('link', { name: 'Whole leaderboard' }))
    expect(router.state.location.search).toBe('')
  })

  it('says that no followed player has a record on the map', async () => {
    serve({ all: [] })
    renderRoute(`${path}?following=true`, { user: cloudstep })
    expect(await screen.findByText('No player whom you follow has a record on this map')).toBeVisible()
    expect(screen.getByRole('link', { name: 'View Players' })).toHaveAttribute('href', '/player-search')
  })

  it('shows visitors all rows in place of those of followed players', async () => {
    serve()
    renderRoute(`${path}?following=true`)
    expect(await screen.findByText('23 players')).toBeVisible()
    expect(asked.some((query) => query.includes('following'))).toBe(false)
    expect(screen.queryByRole('link', { name: 'Following' })).toBeNull()
  })

  it('leads from the rows of others to the comparison with you', async () => {
    serve()
    renderRoute(`${path}?around=me`, { user: cloudstep })
    const link = within(await row(/runner9 /)).getByRole('link', { name: 'Compare runner9 with me' })
    expect(link).toHaveAttribute('href', `/compare/${cloudstep._id}/player-9`)
    // Tests have no style sheet. A phone has the link, too.
    expect(link.className).not.toContain('show_')
    expect(within(await row(/cloudstep/)).queryByRole('link', { name: /^Compare/ })).not.toBeInTheDocument()
  })

  it('compares nobody with visitors', async () => {
    serve()
    renderRoute(path)
    await row(/runner9 /)
    expect(screen.queryByRole('link', { name: /^Compare/ })).not.toBeInTheDocument()
  })

  it('lets the keyboard reach your own record of another page', async () => {
    serve()
    const { user } = renderRoute(path, { user: cloudstep })
    const own = within(await row(/cloudstep/))
    screen.getByRole('link', { name: 'Download the replay of runner10' }).focus()
    await user.tab()
    expect(own.getByRole('link', { name: 'cloudstep' })).toHaveFocus()
    await user.tab()
    expect(own.getByRole('link', { name: /^00:54\.27/ })).toHaveFocus()
  })

  it('shows the first page to a visitor who is logged out in place of the rows around', async () => {
    serve()
    renderRoute(`${path}?around=me`)
    await row(/runner1 /)
    expect(screen.getByText('Page 1 of 3')).toBeVisible()
    expect(asked.some((query) => query.includes('around'))).toBe(false)
  })

  it('says that there are no rows around a player without a record, and leads to all', async () => {
    serve({ all: runs.slice(0, 3) })
    const { user } = renderRoute(`${path}?around=me`, { user: cloudstep })
    expect(await screen.findByText('You have no record on this map yet.')).toBeVisible()
    await user.click(screen.getByRole('link', { name: 'Whole leaderboard' }))
    await row(/runner1 /)
    expect(screen.queryByRole('link', { name: 'Show my row' })).not.toBeInTheDocument()
  })

  it('says that it is loading', async () => {
    serve()
    server.use(http.get(url('/records'), () => delay('infinite')))
    renderRoute(path)
    expect(await screen.findByText('Loading leaderboard data...')).toBeVisible()
  })

  it('says that there are no records on the map', async () => {
    serve({ all: [] })
    renderRoute(path)
    expect(await screen.findByText('No records found for this map')).toBeVisible()
    expect(screen.getByText('0 players')).toHaveAttribute('role', 'status')
  })

  it.each([
    ['is empty', () => HttpResponse.json({ success: true, data: [], pagination: { total: 0 } })],
    ['does not know the map', () => problem(404, { code: 'map_unknown' })],
  ])('waits for the run of a map that was just submitted while the board %s', async (_, answer) => {
    serve({ all: runs.slice(0, 1) })
    let ranked = false
    server.use(http.get(url('/records'), () => (ranked ? undefined : answer())))
    const { router } = renderRoute('/privacy')
    await act(() => router.navigate(path, { state: recordExpected }))
    expect(await screen.findByText('Your record is being ranked...')).toHaveAttribute('role', 'status')
    expect(screen.queryByText('No records found for this map')).not.toBeInTheDocument()
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
    ranked = true
    expect(await row(/runner1 /)).toBeVisible()
    expect(screen.getByText('1 player')).toHaveAttribute('role', 'status')
  })

  it('does not wait for ever for the record of a map that was just submitted', async () => {
    serve({ all: [] })
    const { router } = renderRoute('/privacy')
    await screen.findByRole('banner')
    vi.useFakeTimers({
      shouldAdvanceTime: true,
      toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'],
    })
    try {
      await act(() => router.navigate(path, { state: recordExpected }))
      await screen.findByText('Your record is being ranked...')
      await act(() => vi.advanceTimersByTimeAsync(10_000))
      expect(await screen.findByText('No records found for this map')).toBeVisible()
      const before = asked.length
      await act(() => vi.advanceTimersByTimeAsync(10_000))
      expect(asked.length).toBeLessThanOrEqual(before + 1)
    } finally {
      vi.useRealTimers()
    }
  })

  it('keeps the records that it has when they cannot be loaded again', async () => {
    serve()
    const { store } = renderRoute(path)
    await row(/runner1 /)
    server.use(
      http.get(url('/records'), () => problem(500)),
      http.get(url('/maps/:id'), () => problem(500)),
    )
    await reload(store, ['Leaderboard'])
    expect(await screen.findByText('Failed to load leaderboard data')).toBeVisible()
    expect(await screen.findByText('Failed to load map details')).toBeVisible()
    expect(await row(/runner1 /)).toBeVisible()
    expect(await screen.findByRole('region', { name: 'World record' })).toBeVisible()
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
  })

  it.each([
    { answer: () => problem(500), text: 'Failed to load leaderboard data' },
    { answer: () => HttpResponse.error(), text: 'Something went wrong while loading data' },
    { answer: () => problem(503, { message: 'Not now.' }), text: 'Not now.' },
  ])('shows "$text" when the records fail', async ({ answer, text }) => {
    serve()
    server.use(http.get(url('/records'), answer))
    renderRoute(path)
    expect(await screen.findByRole('alert')).toHaveTextContent(text)
    await waitFor(() => expect(screen.getAllByText(text)).toHaveLength(2)) // inline, and as a toast
  })
})

describe('the map of a leaderboard', () => {
  it('is shown with everything that is known of it', async () => {
    serve()
    renderRoute(path)
    expect(await screen.findByRole('heading', { level: 1, name: 'Skyline Run' })).toBeVisible()
    expect(screen.getByRole('link', { name: 'Back to Map Search' })).toHaveAttribute('href', '/map-search')
    expect(screen.getByRole('link', { name: 'cloudstep' })).toHaveAttribute('href', `/player/${cloudstep._id}`)
    const details = within(screen.getByRole('complementary', { name: 'Map details' }))
    const picture = screen.getByRole('img', { name: 'The map Skyline Run' })
    expect(picture).toHaveAttribute('src', '/media/maps/a.webp')
    expect(picture).toHaveAttribute('srcset', '/media/maps/a-480.webp 480w, /media/maps/a.webp 1600w')
    expect(
      await screen.findByRole('img', {
        name: 'The course: Bronze medal at 01:01.90, Silver medal at 00:49.53, Gold medal at 00:43.73, Author medal at 00:41.27.',
      }),
    ).toBeVisible()
    expect(details.getByText('Over the roofs.')).toBeVisible()
    expect(details.getByRole('list', { name: 'Tags' })).toHaveTextContent('speedrunshort')
    for (const [term, value] of [
      ['Uploaded', '11 May 2026'],
      ['Game mode', 'Classic'],
      ['Game database id', '1234'],
      ['Map id', aMap()._id],
    ] as const) {
      expect(details.getByText(term).nextElementSibling).toHaveTextContent(value)
    }
    expect(document.title).toBe('Skyline Run: Leaderboard · Capzone')
  })

  it('may have no medal times', async () => {
    serve({
      map: aMap({ medalTimes: { author: null, gold: null, silver: null, bronze: null } }),
      all: runs.map((run) => ({ ...run, medal: null })),
    })
    renderRoute(path)
    expect(await screen.findByText('The author has set no medal times.')).toBeVisible()
    expect(within(await row(/runner1 /)).queryByRole('img')).not.toBeInTheDocument()
  })

  it('names the submitter, the contributors and the map that it remixes', async () => {
    serve({
      map: aMap({
        submittedBy: { _id: 'v', name: 'validator', skinImageUrl: null, skinColor: null },
        contributors: ['cloudstep', 'mossfoot'],
        remixOf: { bonkDbId: 1, name: 'First Steps', author: 'nightlark' },
      }),
    })
    renderRoute(path)
    expect(await screen.findByRole('link', { name: 'validator' })).toHaveAttribute('href', '/player/v')
    expect(screen.getByText('Contributors').nextElementSibling).toHaveTextContent(/^mossfoot$/)
    expect(screen.getByText('First Steps').parentElement).toHaveTextContent('First Steps by nightlark')
  })

  it('may not be found', async () => {
    server.use(
      http.get(url('/maps/:id'), () => problem(404)),
      http.get(url('/records'), () => problem(404)),
    )
    const { store } = renderRoute(path)
    await waitFor(() => {
      expect(screen.getByText('Map not found')).toBeVisible()
      expect(screen.getByRole('link', { name: 'Browse Maps' })).toHaveAttribute('href', paths.allMaps)
    })
    await waitFor(() => expect(store.getState().api.queries).not.toEqual({}))
    await allAnswered(store)
    expect(screen.queryByText('Failed to load leaderboard data')).not.toBeInTheDocument()
    expect(screen.queryByText('Failed to load map details')).not.toBeInTheDocument()
  })

  it('may fail to load', async () => {
    serve()
    server.use(http.get(url('/maps/:id'), () => problem(500)))
    renderRoute(path)
    expect(await screen.findByRole('alert')).toHaveTextContent('Failed to load map details')
    await waitFor(() => expect(screen.getAllByText('Failed to load map details')).toHaveLength(2))
    expect(screen.getByRole('heading', { level: 1, name: 'Leaderboard' })).toBeVisible()
  })
})

describe('after a submission', () => {
  const result = {
    record: {
      ...aRecord({ _id: 'run-14', finishTime: 54267, medal: 'bronze' }),
      map: aMap()._id,
      player: cloudstep._id,
    },
    rank: 14,
    personalBest: true,
    previousBest: 56267,
    worldRecord: false,
    equalsWorldRecord: false,
    previousRank: 16,
    pointsBefore: null,
  } as SubmissionResult

  const open = (submitted: SubmissionResult) =>
    renderRoute(
      { pathname: path, search: '?page=2&record=run-14', state: recordSubmitted(submitted) },
      { user: cloudstep },
    )

  it('shows the time, the rank, the players passed, the differences and the next medal', async () => {
    serve()
    open(result)
    const banner = await screen.findByRole('region', { name: 'New personal best' })
    expect(banner).toHaveTextContent('00:54.27')
    await waitFor(() => expect(banner).toHaveTextContent('Rank 14 of 23, 2 players passed'))
    const passed = await within(banner).findByRole('list', { name: 'Players passed' })
    expect(
      within(passed)
        .getAllByRole('link')
        .map((link) => link.textContent),
    ).toEqual(['Rrunner15', 'Rrunner16'])
    expect(
      within(banner).getByRole('img', {
        name: /^This record is at 00:54\.27, 00:04\.73 short of the silver medal, 00:13\.00 short of the world record\. /,
      }),
    ).toBeVisible()
    expect(banner).toHaveTextContent('-00:02.00 to your previous best')
    expect(banner).toHaveTextContent('+00:13.00 to the world record')
    expect(banner).toHaveTextContent('00:04.73 short of the silver medal')
    expect(within(banner).getByRole('link', { name: 'Submit another' })).toHaveAttribute(
      'href',
      `/replay-submit/${aMap()._id}`,
    )
    expect(within(banner).getByRole('button', { name: 'Share' })).toBeVisible()
    expect(await row(/cloudstep/)).toHaveAttribute('aria-current', 'true')
  })

  describe('offers its picture', () => {
    const serveWith = (answer: () => Response) => {
      serve()
      server.use(http.get(url('/records/run-14/preview.png'), answer))
    }
    const aPicture = () => new HttpResponse('a picture', { headers: { 'Content-Type': 'image/png' } })
    const shareBy = (share: (data: ShareData) => Promise<void>) =>
      vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { share, canShare: () => true }))
    const savedFiles = () => {
      const saved: string[] = []
      vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
        saved.push(this.download)
      })
      URL.createObjectURL = () => 'blob:picture'
      return saved
    }

    it("to the browser's dialog", async () => {
      const shared = vi.fn(async (_: ShareData) => {})
      shareBy(shared)
      serveWith(aPicture)
      const { user } = open(result)
      await user.click(await screen.findByRole('button', { name: 'Share picture' }))
      await waitFor(() => expect(shared).toHaveBeenCalledOnce())
      const { title, files } = shared.mock.calls[0]?.[0] ?? {}
      expect(title).toBe('00:54.27 on Skyline Run')
      expect(files?.map(({ name, type, size }) => [name, type, size])).toEqual([
        ['capzone-record.png', 'image/png', 'a picture'.length],
      ])
    })

    it('as a file where files are not shared', async () => {
      const saved = savedFiles()
      serveWith(aPicture)
      const { user } = open(result)
      await user.click(await screen.findByRole('button', { name: 'Save picture' }))
      await waitFor(() => expect(saved).toEqual(['capzone-record.png']))
    })

    it.each([
      ['not where the dialog is closed', 'AbortError', []],
      ['as a file where the dialog is refused', 'NotAllowedError', ['capzone-record.png']],
    ])('%s', async (_, name, files) => {
      const saved = savedFiles()
      const shared = vi.fn(() => Promise.reject(new DOMException('refused', name)))
      shareBy(shared)
      serveWith(aPicture)
      const { user } = open(result)
      const button = await screen.findByRole('button', { name: 'Share picture' })
      await user.click(button)
      await waitFor(() => expect(shared).toHaveBeenCalledOnce())
      await waitFor(() => expect(saved).toEqual(files))
    })

    it('and says that it could not be loaded', async () => {
      const saved = savedFiles()
      serveWith(() => HttpResponse.error())
      const { user } = open(result)
      await user.click(await screen.findByRole('button', { name: 'Save picture' }))
      expect(await screen.findByText('The picture could not be loaded')).toBeVisible()
      expect(saved).toEqual([])
    })
  })

  it('celebrates a world record and announces it', async () => {
    serve()
    open({ ...result, rank: 1, worldRecord: true })
    const banner = await screen.findByRole('region', { name: 'World record!' })
    await waitFor(() => expect(within(banner).getByRole('status')).toHaveTextContent('World record! 00:54.27'))
    expect(banner).not.toHaveTextContent('to the world record')
  })

  it('says that an equal time equals the world record', async () => {
    serve()
    open({ ...result, rank: 1, equalsWorldRecord: true })
    const banner = await screen.findByRole('region', { name: 'New personal best' })
    expect(banner).toHaveTextContent('Equals the world record')
    expect(banner).not.toHaveTextContent('to the world record')
  })

  it('is what the player sees first, and leads to the row', async () => {
    serve()
    const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView')
    const { user, router } = renderRoute('/privacy', { user: cloudstep })
    await act(() => router.navigate(`${path}?page=2&record=run-14`, { state: recordSubmitted(result) }))
    const banner = await screen.findByRole('region', { name: 'New personal best' })
    expect(await row(/cloudstep/)).toHaveAttribute('aria-current', 'true')
    expect(banner).toHaveFocus()
    expect(scrolled.mock.contexts).toEqual([banner])
    await user.click(within(banner).getByRole('link', { name: 'See your row' }))
    await waitFor(async () => expect(await row(/cloudstep/)).toHaveFocus())
    expect(scrolled.mock.contexts).toEqual([banner, await row(/cloudstep/)])
    expect(banner).toBeInTheDocument()
  })

  it.each([
    ['the first record', { previousBest: null }],
    ['a best without a medal', { previousBest: 61_950 }],
  ])('names a medal that is new after %s', async (_, change) => {
    serve()
    const { router } = renderRoute('/privacy', { user: cloudstep })
    const submitted = recordSubmitted({ ...result, ...change, previousRank: null })
    await act(() => router.navigate(path, { state: submitted }))
    expect(await screen.findByText('New: Bronze medal')).toBeVisible()
    const banner = screen.getByRole('region', { name: /^(Your first record|New personal best)/ })
    expect(banner.querySelectorAll('[style*=background]').length).toBeGreaterThan(30)
  })

  it('names no medal that the player had', async () => {
    serve()
    open(result)
    const banner = await screen.findByRole('region', { name: 'New personal best' })
    expect(banner).not.toHaveTextContent('New:')
  })

  it('counts the players that a first record has passed', async () => {
    serve()
    open({ ...result, previousBest: null, previousRank: null })
    const banner = await screen.findByRole('region', { name: 'Your first record on this map' })
    await waitFor(() => expect(banner).toHaveTextContent('Rank 14 of 23, 9 players passed'))
  })

  it('writes a rank like other numbers', async () => {
    serve()
    open({ ...result, rank: 1204, previousRank: 1205 })
    const banner = await screen.findByRole('region', { name: 'New personal best' })
    await waitFor(() => expect(banner).toHaveTextContent('Rank 1,204 of 23, 1 player passed'))
  })

  it('stays while the player turns the pages, until another map is opened', async () => {
    serve()
    const { user, router } = renderRoute({ pathname: path, state: recordSubmitted(result) }, { user: cloudstep })
    const banner = await screen.findByRole('region', { name: 'New personal best' })
    await row(/runner1 /)
    await user.click(screen.getByRole('button', { name: 'Next' }))
    await row(/runner11 /)
    expect(banner).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Next' })).toHaveFocus()
    await act(() => router.navigate('/leaderboard/another'))
    await row(/runner1 /)
    expect(screen.queryByRole('region', { name: 'New personal best' })).not.toBeInTheDocument()
  })

  it('compares a record of another version with those of that version', async () => {
    serve({ all: runs.slice(0, 3) })
    const medalTimes = { ...aMap().medalTimes, silver: 50_000 }
    server.use(
      http.get(url('/maps/older'), () =>
        HttpResponse.json({ success: true, data: aMap({ _id: 'older', medalTimes }) }),
      ),
      http.get(url('/records'), ({ request }) => {
        const fastest = aRecord({ _id: 'fastest', finishTime: 30_267 })
        const isOlder = new URL(request.url).searchParams.get('map') === 'older'
        return isOlder ? HttpResponse.json(page([fastest], { total: 40 })) : undefined
      }),
    )
    const record = { ...result.record, map: 'older' }
    const submitted = { ...result, record, rank: 12, previousRank: null }
    renderRoute({ pathname: path, state: recordSubmitted(submitted) }, { user: cloudstep })
    const banner = await screen.findByRole('region', { name: 'New personal best' })
    await waitFor(() => {
      expect(banner).toHaveTextContent('Rank 12 of 40')
      expect(banner).toHaveTextContent('+00:24.00 to the world record')
      expect(banner).toHaveTextContent('00:04.27 short of the silver medal')
    })
    expect(within(banner).getByRole('link', { name: 'See the leaderboard of that version' })).toHaveAttribute(
      'href',
      '/leaderboard/older?page=2&record=run-14',
    )
  })

  it('does not praise a record that is slower than the best', async () => {
    serve()
    open({ ...result, personalBest: false, previousBest: 50267 })
    const banner = await screen.findByRole('region', { name: 'Record saved' })
    await waitFor(() => expect(banner).toHaveTextContent('Rank 14 of 23, with your faster best'))
    expect(banner).toHaveTextContent('+00:04.00 to your previous best')
  })

  describe('says what the record has brought', () => {
    const BEFORE = '2026-05-11T18:04:59.000Z'
    const AFTER = '2026-05-11T18:05:01.000Z'
    const pointsBefore = { total: 1884.3, rank: 12 }

    const answerPoints = (answer: { asOf: string; total: number; rank: number | null }) =>
      server.use(
        http.get(url('/players/:id/points'), () =>
          HttpResponse.json({
            success: true,
            data: playerPoints([], answer),
            pagination: { total: 0, offset: 0, limit: 1 },
          }),
        ),
      )

    async function submitted(change: Partial<SubmissionResult>) {
      serve()
      const view = renderRoute('/privacy', { user: cloudstep })
      await act(() => view.router.navigate(path, { state: recordSubmitted({ ...result, pointsBefore, ...change }) }))
      return { ...view, banner: await screen.findByRole('region', { name: 'New personal best' }) }
    }

    it('when it is computed', async () => {
      answerPoints({ asOf: BEFORE, total: 1884.3, rank: 12 })
      const { banner, store } = await submitted({})
      await allAnswered(store)
      expect(banner).not.toHaveTextContent('points')
      answerPoints({ asOf: AFTER, total: 1925.5, rank: 9 })
      await waitFor(() => expect(banner).toHaveTextContent('+41.2 points, 12th → 9th'))
    })

    it('to a player who was not ranked', async () => {
      answerPoints({ asOf: AFTER, total: 41.2, rank: 39 })
      const { banner } = await submitted({ pointsBefore: { total: 0, rank: null } })
      await waitFor(() => expect(banner).toHaveTextContent('+41.2 points, 39th'))
    })

    it('and nothing where it has brought nothing, or the points are not known', async () => {
      answerPoints({ asOf: AFTER, total: 1884.3, rank: 12 })
      const first = await submitted({})
      await allAnswered(first.store)
      expect(first.banner).not.toHaveTextContent('points')
      first.unmount()
      answerPoints({ asOf: AFTER, total: 1925.5, rank: 9 })
      const second = await submitted({ pointsBefore: null })
      await allAnswered(second.store)
      expect(second.banner).not.toHaveTextContent('points')
    })
  })
})
