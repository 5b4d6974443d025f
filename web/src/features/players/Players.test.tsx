import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { delay, HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { RoleBadges } from '@/entities/player/more/RoleBadges'
import type { AppStore } from '@/store/store'
import { aMap, aPlayer, aRanking, aRankingRow, aRecord, cloudstep, page, someStatistics } from '@/test/fixtures'
import { reload, renderPart, renderRoute } from '@/test/render'
import { problem, server, url } from '@/test/server'

const asked: string[] = []

beforeEach(() => {
  asked.length = 0
  URL.createObjectURL ??= () => 'blob:preview'
  URL.revokeObjectURL ??= () => {}
})

// failures counts the requests whose last answer was a failure.
const failures = (store: AppStore) =>
  Object.values(store.getState().api.queries).filter((query) => query?.status === 'rejected').length

describe('the player search', () => {
  function find(players: ReturnType<typeof aPlayer>[], pages = 1) {
    server.use(
      http.get(url('/players/search'), ({ request }) => {
        asked.push(new URL(request.url).searchParams.toString())
        return HttpResponse.json(page(players, { pages }))
      }),
    )
  }

  it('asks for 12 players by name, and shows each on a card', async () => {
    find([aPlayer({ roles: ['admin'] }), aPlayer({ _id: 'x', name: 'newcomer', level: 0, updatedAt: '' })])
    renderRoute('/player-search')
    const [known, unknown] = await screen.findAllByRole('article')
    expect(known).toHaveTextContent('cloudstepLevel 57AdminLast Updated: 11 May 2026View Profile')
    expect(unknown).toHaveTextContent('newcomerLevel N/ALast Updated: N/AView Profile')
    for (const link of within(known as HTMLElement).getAllByRole('link')) {
      expect(link).toHaveAttribute('href', `/player/${cloudstep._id}`)
    }
    expect(asked).toEqual(['sortBy=name&sortDir=asc&page=1&limit=12'])
  })

  it('shows the skin of a player who has one, from its path', async () => {
    find([aPlayer({ skinImageUrl: '/media/skins/a.webp' })])
    renderRoute('/player-search')
    const card = await screen.findByRole('article')
    expect(card.querySelector('img')).toHaveAttribute('src', '/media/skins/a.webp')
  })

  it('searches by name, from the first page', async () => {
    find([aPlayer()], 4)
    const { user } = renderRoute('/player-search?page=2')
    await user.type(await screen.findByRole('searchbox', { name: 'Player name' }), 'cloud{Enter}')
    await waitFor(() => expect(asked.at(-1)).toBe('name=cloud&sortBy=name&sortDir=asc&page=1&limit=12'))
    await user.click(await screen.findByRole('button', { name: 'Next page' }))
    await waitFor(() => expect(asked.at(-1)).toBe('name=cloud&sortBy=name&sortDir=asc&page=2&limit=12'))
  })

  it('says that there are none, and leads to all', async () => {
    find([])
    const { user, router } = renderRoute('/player-search?name=nobody')
    expect(await screen.findByText('No players found.')).toBeVisible()
    expect(screen.getByText('0 players')).toHaveAttribute('role', 'status')
    await user.click(screen.getByRole('button', { name: 'Clear all filters' }))
    expect(router.state.location.search).toBe('')
  })

  it('keeps the focus on the buttons of pages while the next one loads', async () => {
    find([aPlayer()], 3)
    const { user } = renderRoute('/player-search')
    const next = await screen.findByRole('button', { name: 'Next page' })
    server.use(http.get(url('/players/search'), () => delay('infinite')))
    await user.click(next)
    expect(await screen.findByText('Loading players...')).toBeVisible()
    expect(next).toHaveFocus()
  })

  it('leads back from a page past the last player', async () => {
    server.use(http.get(url('/players/search'), () => HttpResponse.json(page([], { total: 3, page: 9 }))))
    const { user, router } = renderRoute('/player-search?page=9')
    expect(await screen.findByText('This page is past the last player.')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'First page' }))
    await waitFor(() => expect(router.state.location.search).toBe(''))
  })

  it('keeps the players that it has when they cannot be loaded again', async () => {
    find([aPlayer()])
    const { store } = renderRoute('/player-search')
    await screen.findByRole('article')
    server.use(http.get(url('/players/search'), () => problem(500)))
    await reload(store, ['Player'])
    await waitFor(() => expect(failures(store)).toBeGreaterThan(0))
    expect(screen.getByRole('article')).toBeVisible()
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
  })

  it.each([
    { answer: () => problem(500), text: 'Failed to fetch players' },
    { answer: () => HttpResponse.error(), text: 'Error searching players' },
    { answer: () => problem(400, { message: 'That name is too long.' }), text: 'That name is too long.' },
  ])('shows "$text" when it fails', async ({ answer, text }) => {
    server.use(http.get(url('/players/search'), answer))
    renderRoute('/player-search')
    expect(await screen.findByRole('alert')).toHaveTextContent(text)
  })
})

describe('a role badge', () => {
  it.each([
    ['admin', 'card', 'yellow'],
    ['admin', 'profile', 'red'],
    ['moderator', 'card', 'purple'],
    ['moderator', 'profile', 'purple'],
    ['validator', 'card', 'blue'],
    ['mapper', 'profile', 'blue'],
  ] as const)('of %s on a %s is %s', (role, on, colour) => {
    renderPart(<RoleBadges roles={[role]} on={on} />)
    expect(screen.getByText(new RegExp(role, 'i'))).toHaveClass(`color-palette_${colour}`)
  })

  it('has its first letter capitalised', () => {
    renderPart(<RoleBadges roles={['moderator', 'map tester']} on="card" />)
    expect(screen.getByText('Moderator')).toBeVisible()
    expect(screen.getByText('Map tester')).toBeVisible()
  })
})

describe('a profile', () => {
  function serve(player = aPlayer()) {
    server.use(
      http.get(url('/players/:id'), () => HttpResponse.json({ success: true, data: player })),
      http.get(url('/records'), ({ request }) => {
        asked.push(new URL(request.url).search)
        return HttpResponse.json({
          success: true,
          data: [aRecord()],
          pagination: { total: 11, offset: 0, limit: 10 },
        })
      }),
      http.get(url('/maps/search'), ({ request }) => {
        asked.push(new URL(request.url).search)
        return HttpResponse.json(page([aMap()]))
      }),
    )
  }
  const path = `/player/${cloudstep._id}`

  beforeEach(() => serve())

  it('shows the player and their latest records, and has tabs of their records and maps', async () => {
    serve(aPlayer({ roles: ['moderator'] }))
    const { user, router } = renderRoute(path)
    expect(await screen.findByRole('heading', { name: 'cloudstep' })).toBeVisible()
    expect(screen.getByRole('link', { name: 'Back to Players' })).toHaveAttribute('href', '/player-search')
    expect(screen.getByText('Moderator')).toBeVisible()
    expect(screen.getByText('Level').parentElement).toHaveTextContent('Level57')
    expect(screen.getByText('Member Since').parentElement).toHaveTextContent('Member Since1 Mar 2026')
    expect(screen.getByText('Last Updated').parentElement).toHaveTextContent('Last Updated11 May 2026')
    const run = await screen.findByRole('row', { name: /Skyline Run/ })
    expect(run).toHaveTextContent(/00:41\.27.*11 May 2026/)
    expect(within(run).getByRole('img', { name: 'Author medal' })).toBeVisible()
    expect(document.title).toBe('cloudstep · Capzone')
    expect(asked).toEqual([
      expect.stringContaining(`player=${cloudstep._id}&sortBy=updatedAt&sortDir=desc&offset=0&limit=5`),
    ])
    const tabs = within(screen.getByRole('navigation', { name: 'Profile' }))
    expect(tabs.getByRole('link', { name: 'Overview' })).toHaveAttribute('aria-current', 'page')
    await user.click(tabs.getByRole('link', { name: 'Maps' }))
    expect(await screen.findByRole('article')).toHaveTextContent('Skyline Run')
    expect(asked.at(-1)).toContain(`authorId=${cloudstep._id}`)
    expect(router.state.location.search).toBe('?tab=maps')
    await user.click(tabs.getByRole('link', { name: 'Overview' }))
    await waitFor(() => expect(router.state.location.search).toBe(''))
  })

  it('shows the best records before pictures of their maps, the medals and the rivals', async () => {
    const place = (rank: number, name: string) => ({
      map: { _id: name, name },
      mode: 'Classic',
      rank,
      of: 9,
      record: `record of ${name}`,
      finishTime: 41_267,
    })
    const medals = { author: 1, gold: 2, silver: 3, bronze: 4, none: 5 }
    const modes = ['Classic', 'Arrows'].map((mode) => ({ mode, finished: 15, of: 20, medals }))
    const rivals = [1, 2, 3, 4, 5, 6].map((rank) =>
      aRankingRow({
        rank,
        player: { ...aRecord().player, _id: rank === 4 ? cloudstep._id : `p${rank}`, name: `Player ${rank}` },
      }),
    )
    server.use(
      http.get(url('/players/:id/statistics'), () =>
        HttpResponse.json({
          success: true,
          data: someStatistics({ bestPlacements: [place(1, 'Grip'), place(12, 'Ice Drop')], modes }),
        }),
      ),
      http.get(url('/rankings'), () => HttpResponse.json(aRanking(rivals))),
      http.get(url('/maps/:id'), ({ params }) =>
        HttpResponse.json({ success: true, data: aMap({ thumbnailUrl: `/media/${String(params.id)}.webp` }) }),
      ),
    )
    renderRoute(path)
    const first = within(
      await screen
        .findByRole('heading', { name: 'Best records' })
        .then(({ parentElement }) => parentElement?.parentElement as HTMLElement),
    )
    const cards = first.getAllByRole('listitem')
    expect(cards.map((card) => card.textContent)).toEqual(['1st00:41.27Grip', '12th00:41.27Ice Drop'])
    await waitFor(() => expect(cards[0]?.querySelector('img')).toHaveAttribute('src', '/media/Grip.webp'))
    // With the figures that the medals show.
    expect(screen.getByRole('list', { name: 'Medals' })).toHaveTextContent(
      'Author medal2Gold medal14Silver medal26Bronze medal38',
    )
    expect(screen.getByText('Rank', { selector: 'dt' }).nextElementSibling).toHaveTextContent(/^4$/)
    const compared = await screen.findAllByRole('link', { name: /^Compare with Player/ })
    expect(compared.map((link) => link.getAttribute('href'))).toEqual(
      ['p2', 'p3', 'p5', 'p6'].map((id) => `/compare/${cloudstep._id}/${id}`),
    )
  })

  it('says what to do first where a player has no records', async () => {
    serve(aPlayer({ recordCount: 0 }))
    const own = renderRoute(path, { user: cloudstep })
    expect(await screen.findByText('Your profile begins with a record.')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Explore Maps' })).toBeVisible()
    own.unmount()
    renderRoute(path)
    expect(await screen.findByText('No records yet.')).toBeVisible()
  })

  it('counts the maps and records', async () => {
    serve(aPlayer({ mapCount: 1204, recordCount: 12_040 }))
    renderRoute(path)
    const fact = async (label: string) => (await screen.findByText(label, { selector: 'dt' })).nextElementSibling
    expect(await fact('Maps')).toHaveTextContent(/^1,204$/)
    expect(await fact('Records')).toHaveTextContent(/^12,040$/)
  })

  it('pages through the records', async () => {
    serve()
    const { user, router } = renderRoute(`${path}?tab=records`)
    const pages = within(await screen.findByRole('navigation', { name: 'Pages of records' }))
    expect(pages.getByText('Page 1 of 2')).toBeVisible()
    await user.click(pages.getByRole('button', { name: 'Next' }))
    await waitFor(() => expect(asked.at(-1)).toContain('offset=10'))
    expect(router.state.location.search).toBe('?tab=records&page=2')
  })

  it('keeps the pages of the other parts in the address', async () => {
    serve()
    const { user, router } = renderRoute(`${path}?tab=records&pointsPage=2`)
    const pages = within(await screen.findByRole('navigation', { name: 'Pages of records' }))
    await user.click(pages.getByRole('button', { name: 'Next' }))
    await waitFor(() => expect(router.state.location.search).toBe('?tab=records&pointsPage=2&page=2'))
    await user.click(pages.getByRole('button', { name: 'First' }))
    await waitFor(() => expect(router.state.location.search).toBe('?tab=records&pointsPage=2'))
  })

  it('begins at the page of records in the address', async () => {
    serve()
    renderRoute(`${path}?tab=records&page=2`)
    expect(await screen.findByText('Page 2 of 2')).toBeVisible()
    expect(asked).toEqual([expect.stringContaining('offset=10')])
  })

  // serveMaps gives the player this many maps. The answer to a limit can be made to fail once.
  function serveMaps(total: number, failAt = 0) {
    let failed = false
    serve()
    server.use(
      http.get(url('/maps/search'), ({ request }) => {
        const limit = Number(new URL(request.url).searchParams.get('limit'))
        if (limit === failAt && !failed) {
          failed = true
          return problem(500, { message: 'Out of order.' })
        }
        const maps = Array.from({ length: Math.min(limit, total) }, (_, i) => aMap({ _id: `map ${i}` }))
        return HttpResponse.json(page(maps, { total }))
      }),
    )
  }

  it('shows twice as many maps, and says where that fails', async () => {
    serveMaps(20, 24)
    const { user } = renderRoute(`${path}?tab=maps`)
    await user.click(await screen.findByRole('button', { name: 'More maps' }))
    expect(await screen.findByText('Out of order.')).toBeVisible()
    expect(screen.getAllByRole('article')).toHaveLength(12)
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(20))
    expect(screen.queryByRole('button', { name: 'More maps' })).not.toBeInTheDocument()
    expect(screen.queryByText('Out of order.')).not.toBeInTheDocument()
  })

  it('leads to the search where a player has more maps than a profile shows', async () => {
    serveMaps(97)
    const { user } = renderRoute(`${path}?tab=maps`)
    for (const shown of [24, 48, 96]) {
      await user.click(await screen.findByRole('button', { name: 'More maps' }))
      await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(shown))
    }
    expect(screen.getByRole('link', { name: 'Search all maps of cloudstep' })).toHaveAttribute(
      'href',
      '/map-search?author=cloudstep',
    )
  })

  it('has achievements only where there are trophies', async () => {
    serve(aPlayer({ trophies: [{}] }))
    const first = renderRoute(path)
    expect(await screen.findByRole('heading', { name: 'Achievements' })).toBeVisible()
    expect(screen.getByText('Coming Soon')).toBeVisible()
    first.unmount()
    serve()
    renderRoute(path)
    await screen.findByRole('heading', { name: 'cloudstep' })
    expect(screen.queryByText('Achievements')).not.toBeInTheDocument()
  })

  it('shows that it is not claimed yet', async () => {
    serve(aPlayer({ registered: false }))
    renderRoute(path)
    expect(await screen.findByText(/has not been claimed yet/)).toBeVisible()
  })

  it('says that it is loading', async () => {
    server.use(http.get(url('/players/:id'), () => delay('infinite')))
    renderRoute(path)
    expect(await screen.findByText('Loading player information...')).toBeVisible()
  })

  it('says that there is no such player', async () => {
    server.use(http.get(url('/players/:id'), () => problem(404, { message: 'No such player.' })))
    renderRoute(path)
    await waitFor(() => {
      expect(screen.getByText('Player Not Found')).toBeVisible()
      expect(screen.getByRole('link', { name: 'Back to Players' })).toBeVisible()
    })
  })

  it.each([
    { answer: () => problem(500), text: 'Failed to fetch player' },
    { answer: () => HttpResponse.error(), text: 'Error fetching player' },
    { answer: () => problem(503, { message: 'Not now.' }), text: 'Not now.' },
  ])('shows "$text" with a back link when it fails', async ({ answer, text }) => {
    server.use(
      http.get(url('/players/:id'), async () => {
        // A page that is opened after an error asks again by itself.
        await vi.waitFor(() => screen.getByText('Loading player information...'), { timeout: 30_000 })
        return answer()
      }),
    )
    renderRoute(path)
    expect(await screen.findByRole('alert')).toHaveTextContent(text)
    expect(screen.getByRole('link', { name: 'Back to Players' })).toBeVisible()
    expect(screen.getByRole('heading', { level: 1, name: 'Player' })).toBeVisible()
  })

  it.each(['records', 'maps'])('keeps the %s that it has when they cannot be loaded again', async (tab) => {
    serve()
    const { store } = renderRoute(`${path}?tab=${tab}`)
    const shown = async () =>
      screen.findByRole(tab === 'maps' ? 'article' : 'row', { name: tab === 'maps' ? undefined : /Skyline Run/ })
    await shown()
    server.use(
      http.get(url('/records'), () => problem(500)),
      http.get(url('/maps/search'), () => problem(500)),
    )
    await reload(store, ['Record', 'Map'])
    await waitFor(() => expect(failures(store)).toBe(1))
    expect(await shown()).toBeVisible()
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
  })

  describe('of oneself', () => {
    const picture = (name: string, type: string, size = 10) => new File([new Uint8Array(size)], name, { type })

    const summary = () => screen.getByText('Please fix the following errors').closest('[role=group]')

    async function openDialog() {
      serve()
      const view = renderRoute(path, { user: cloudstep })
      await view.user.click(await screen.findByRole('button', { name: 'Edit avatar' }))
      return { ...view, input: await screen.findByLabelText('Image') }
    }

    it('has a dialog that changes the avatar', async () => {
      const { user, store, input } = await openDialog()
      const sent = vi.fn()
      server.use(
        http.put(url('/players/:id'), ({ request, params }) => {
          sent(params.id, request.headers.get('Content-Type')?.split(';')[0])
          return HttpResponse.json({
            success: true,
            data: aPlayer({ skinImageUrl: '/media/skins/new.webp' }),
          })
        }),
      )
      await user.upload(input, picture('me.png', 'image/png'))
      await user.click(screen.getByRole('button', { name: 'Save' }))
      expect(await screen.findByText('Player information updated successfully')).toBeVisible()
      expect(sent).toHaveBeenCalledWith(cloudstep._id, 'multipart/form-data')
      expect(store.getState().session.user?.skinImageUrl).toBe('/media/skins/new.webp')
      await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    })

    it.each([
      { file: picture('me.png', 'image/png', 1024 * 1024 + 1), text: 'File too large. Maximum size is 1 MB' },
      { file: picture('me.svg', 'image/svg+xml'), text: 'Invalid image type. Please use JPG, PNG or WebP' },
    ])('refuses a picture before it is sent: $text', async ({ file, text }) => {
      const { user, input } = await openDialog()
      fireEvent.input(input, { target: { files: [file] } })
      expect(await screen.findByText(text)).toBeVisible()
      await user.click(screen.getByRole('button', { name: 'Save' }))
      await waitFor(() => expect(summary()).toHaveTextContent('An image is required'))
      expect(summary()).toHaveFocus()
    })

    it.each([
      { answer: () => problem(500), text: 'Failed to update player' },
      { answer: () => HttpResponse.error(), text: 'Error updating player' },
      { answer: () => problem(422, { message: 'The picture is broken.' }), text: 'The picture is broken.' },
    ])('shows "$text" when saving fails, and keeps the picture', async ({ answer, text }) => {
      const { user, input } = await openDialog()
      server.use(http.put(url('/players/:id'), answer))
      await user.upload(input, picture('me.webp', 'image/webp'))
      await user.click(screen.getByRole('button', { name: 'Save' }))
      await waitFor(() => expect(summary()).toHaveTextContent(text))
      expect(await screen.findByText('Failed to update player information')).toBeVisible()
      expect(screen.getByText(/me\.webp/)).toBeVisible()
      expect(screen.getByRole('button', { name: 'Save' })).toBeEnabled()
    })

    it('reports that saving failed after the dialog was closed', async () => {
      const { user, input } = await openDialog()
      let fail = () => {}
      const answer = new Promise<Response>((resolve) => {
        fail = () => resolve(problem(422, { message: 'The picture is broken.' }))
      })
      server.use(http.put(url('/players/:id'), () => answer))
      await user.upload(input, picture('me.webp', 'image/webp'))
      await user.click(screen.getByRole('button', { name: 'Save' }))
      await user.click(screen.getByRole('button', { name: 'Cancel' }))
      await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
      fail()
      expect(await screen.findByText('Failed to update player information')).toBeVisible()
      expect(screen.getByText('The picture is broken.')).toBeVisible()
    })

    it('removes the error of the picture before', async () => {
      const { user, input } = await openDialog()
      const refused = { code: 'image_dimensions', message: 'The image has too many pixels.' }
      server.use(http.put(url('/players/:id'), () => problem(422, refused)))
      await user.upload(input, picture('bad.png', 'image/png'))
      await user.click(screen.getByRole('button', { name: 'Save' }))
      await waitFor(() => expect(summary()).toHaveTextContent(refused.message))
      fireEvent.input(input, { target: { files: [picture('good.png', 'image/png')] } })
      await waitFor(() => expect(screen.queryByRole('alert')).not.toBeInTheDocument())
    })

    it('says that a picture is damaged', async () => {
      const { user, input } = await openDialog()
      await user.upload(input, picture('me.png', 'image/png'))
      fireEvent.error(await screen.findByAltText('Preview of your avatar'))
      expect(await screen.findByText('The image cannot be read. The file may be damaged.')).toBeVisible()
      expect(screen.queryByText(/me\.png/)).not.toBeInTheDocument()
    })

    it('returns the focus to its button', async () => {
      const { user } = await openDialog()
      await user.keyboard('{Escape}')
      await waitFor(() => expect(screen.getByRole('button', { name: 'Edit avatar' })).toHaveFocus())
    })

    const admin = { ...cloudstep, _id: 'an admin', roles: ['admin'] }

    it("has a dialog in which admins change another's roles", async () => {
      serve()
      server.use(
        http.get(url('/players/:id'), () =>
          HttpResponse.json({
            success: true,
            data: aPlayer({ roles: ['validator', 'racer'], updatedAt: '2026-05-01T00:00:00.000Z' }),
          }),
        ),
      )
      const { user } = renderRoute(path, { user: admin })
      await user.click(await screen.findByRole('button', { name: 'Edit roles' }))
      const dialog = within(await screen.findByRole('dialog', { name: 'Roles of cloudstep' }))
      expect(dialog.getByRole('checkbox', { name: /^Validator/ })).toBeChecked()
      expect(dialog.getByLabelText('Badges')).toHaveValue('racer')
      await user.click(dialog.getByRole('checkbox', { name: /^Validator/ }))
      await user.click(dialog.getByRole('checkbox', { name: /^Moderator/ }))
      await user.type(dialog.getByLabelText('Badges'), ', unknown')
      server.use(
        http.put(
          url('/players/:id'),
          () =>
            problem(422, { code: 'role_invalid', message: 'A role has 1 to 24 letters, digits, hyphens or spaces.' }),
          { once: true },
        ),
        // The player logs in with another level, which the form does not show.
        http.get(url('/players/:id'), () => HttpResponse.json({ success: true, data: aPlayer({ level: 58 }) })),
      )
      await user.click(dialog.getByRole('button', { name: 'Save' }))
      await waitFor(() => expect(dialog.getByLabelText('Badges')).toBeInvalid())
      expect(await screen.findByText('58')).toBeVisible()
      const sent = vi.fn()
      server.use(
        http.put(url('/players/:id'), async ({ request }) => {
          sent(Object.fromEntries(await request.formData()))
          return HttpResponse.json({ success: true, data: aPlayer() })
        }),
      )
      await user.clear(dialog.getByLabelText('Badges'))
      await user.type(dialog.getByLabelText('Badges'), 'racer')
      await user.click(dialog.getByRole('button', { name: 'Save' }))
      expect(await screen.findByText('Roles changed')).toBeVisible()
      expect(sent).toHaveBeenCalledWith({ roles: '["moderator","racer"]', updatedAt: '2026-05-01T00:00:00.000Z' })
    })

    it('takes no role that gives rights for a badge', async () => {
      serve()
      const { user } = renderRoute(path, { user: admin })
      await user.click(await screen.findByRole('button', { name: 'Edit roles' }))
      const dialog = within(await screen.findByRole('dialog', { name: 'Roles of cloudstep' }))
      await user.clear(dialog.getByLabelText('Badges'))
      await user.type(dialog.getByLabelText('Badges'), 'racer, Admin ')
      await user.click(dialog.getByRole('button', { name: 'Save' }))
      await waitFor(() => expect(dialog.getByLabelText('Badges')).toBeInvalid())
      expect(dialog.getByLabelText('Badges')).toHaveAccessibleDescription(/A role that gives rights is chosen above/)
    })

    it.each([
      ['moderators', { ...cloudstep, _id: 'a moderator', roles: ['moderator'] }],
      ['admins of their own', { ...cloudstep, roles: ['admin'] }],
    ])('has no dialog of roles for %s', async (_, user) => {
      serve()
      renderRoute(path, { user })
      await screen.findByRole('heading', { level: 1, name: 'cloudstep' })
      expect(screen.queryByRole('button', { name: 'Edit roles' })).not.toBeInTheDocument()
    })

    it('is not to be changed by others', async () => {
      serve()
      renderRoute(path, { user: { ...cloudstep, _id: 'somebody else' } })
      await screen.findByRole('heading', { name: 'cloudstep' })
      expect(screen.queryByRole('button', { name: 'Edit avatar' })).not.toBeInTheDocument()
    })
  })
})
