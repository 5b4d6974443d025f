import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { delay, HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { returnPathOf } from '@/session/session'
import { aMap, cloudstep, page } from '@/test/fixtures'
import { reload, renderRoute } from '@/test/render'
import { problem, server, url } from '@/test/server'

const asked: string[] = []

// The server finds these maps, whatever is asked for, and notes what was.
function find(maps: ReturnType<typeof aMap>[], pages = 1) {
  server.use(
    http.get(url('/maps/search'), ({ request }) => {
      const { searchParams } = new URL(request.url)
      asked.push(searchParams.toString())
      return HttpResponse.json(page(maps, { pages, page: Number(searchParams.get('page')) }))
    }),
    http.get(url('/maps/popular-tags'), () => HttpResponse.json({ success: true, data: ['speedrun', 'saws'] })),
  )
}

const DEFAULTS = 'sortBy=createdAt&sortDir=desc&page=1&limit=12'

beforeEach(() => {
  asked.length = 0
})

describe('the map search', () => {
  it('asks for 12 maps, the newest first, and shows them as cards', async () => {
    find([aMap()])
    renderRoute('/map-search')
    expect(await screen.findByRole('heading', { name: 'Map Search' })).toBeVisible()
    const card = await screen.findByRole('article')
    expect(within(card).getByRole('link', { name: 'Skyline Run' })).toHaveAttribute(
      'href',
      `/leaderboard/${aMap()._id}`,
    )
    expect(card).toHaveTextContent('cloudstep')
    expect(card).toHaveTextContent('Classic')
    expect(asked).toEqual([DEFAULTS])
    expect(document.title).toBe('Map Search · Capzone')
  })

  it('says that it is loading', async () => {
    server.use(http.get(url('/maps/search'), () => delay('infinite')))
    renderRoute('/map-search')
    expect(await screen.findByText('Loading maps...')).toBeVisible()
  })

  it.each(['{Enter}', 'the button'])('searches by name with %s', async (way) => {
    find([aMap()])
    const { user, router } = renderRoute('/map-search')
    await user.type(await screen.findByRole('searchbox', { name: 'Map name' }), ' sky ')
    if (way === 'the button') await user.click(screen.getByRole('button', { name: 'Search' }))
    else await user.keyboard(way)
    await waitFor(() => expect(asked.at(-1)).toBe(`name=sky&${DEFAULTS}`))
    expect(router.state.location.search).toBe('?name=sky')
  })

  it('says that there are none, and clears all filters', async () => {
    find([])
    const { user, router } = renderRoute('/map-search?name=x&author=y&gameMode=VTOL&tags=a')
    expect(await screen.findByText('No maps found.')).toBeVisible()
    expect(screen.getByText('0 maps')).toHaveAttribute('role', 'status')
    await user.click(screen.getByRole('button', { name: 'Clear all filters' }))
    await waitFor(() => expect(screen.getByRole('button', { name: 'Search' })).toHaveFocus())
    await waitFor(() => expect(asked.at(-1)).toBe(DEFAULTS))
    expect(router.state.location.search).toBe('')
  })

  it.each([
    {
      at: '/map-search',
      answer: () => problem(500),
      inline: 'Failed to fetch maps',
      toast: 'Failed to fetch maps',
    },
    {
      at: '/map-search',
      answer: () => HttpResponse.error(),
      inline: 'Failed to fetch maps',
      toast: 'Error fetching maps',
    },
    {
      at: '/map-search?name=x',
      answer: () => problem(500),
      inline: 'Search failed',
      toast: 'Failed to search maps',
    },
    {
      at: '/map-search?name=x',
      answer: () => HttpResponse.error(),
      inline: 'Search failed',
      toast: 'Error searching maps',
    },
    {
      at: '/map-search?name=x',
      answer: () => problem(503, { message: 'The maps are resting.' }),
      inline: 'The maps are resting.',
      toast: 'The maps are resting.',
    },
  ])('shows "$inline" inline and "$toast" as a toast', async ({ at, answer, inline, toast }) => {
    server.use(http.get(url('/maps/search'), answer))
    renderRoute(at)
    expect(await screen.findByRole('alert')).toHaveTextContent(inline)
    const toasts = await screen.findByRole('region', { name: /Notifications/ })
    expect(await within(toasts).findByText(toast)).toBeInTheDocument()
  })
})

it('keeps the maps that it has when they cannot be loaded again', async () => {
  find([aMap()])
  const { store } = renderRoute('/map-search')
  await screen.findByRole('article')
  server.use(http.get(url('/maps/search'), () => problem(500)))
  await reload(store, ['Map'])
  expect(await screen.findByText('Failed to fetch maps')).toBeVisible()
  expect(screen.getByRole('article')).toBeVisible()
  expect(screen.queryByRole('alert')).not.toBeInTheDocument()
})

describe('the filters', () => {
  async function open() {
    find([aMap()])
    const view = renderRoute('/map-search')
    await view.user.click(await screen.findByRole('button', { name: 'Filters' }))
    const popover = await screen.findByRole('dialog')
    return { ...view, popover }
  }

  it('keep a tag of 24 emoji, and leave a longer one out', async () => {
    find([aMap()])
    const [longest, longer] = ['👻'.repeat(24), '👻'.repeat(25)]
    renderRoute(`/map-search?tags=${longest},${longer}`)
    await waitFor(() => expect(asked.at(-1)).toBe(`tags=${encodeURIComponent(longest)}&${DEFAULTS}`))
  })

  it('narrow by mode, author and tags, and count their kinds on a badge', async () => {
    const { user, popover } = await open()
    await user.selectOptions(within(popover).getByLabelText('Game Mode'), 'Death Arrows')
    await waitFor(() => expect(asked.at(-1)).toContain('gameMode=Death+Arrows'))
    await user.type(within(popover).getByLabelText('Author'), 'cloud{Enter}')
    await waitFor(() => expect(asked.at(-1)).toContain('author=cloud'))
    await user.type(within(popover).getByLabelText('Tags'), '  Saws {Enter}saws{Enter} {Enter}')
    await user.click(await within(popover).findByRole('button', { name: 'speedrun' }))
    await waitFor(() => expect(asked.at(-1)).toContain('tags=saws%2Cspeedrun'))
    expect(screen.getByRole('button', { name: 'Filters 3 active' })).toBeVisible()
    expect(within(popover).getByRole('button', { name: 'speedrun' })).toHaveAttribute('aria-pressed', 'true')

    await user.click(within(popover).getByRole('button', { name: 'Clear All' }))
    await waitFor(() => expect(screen.getByRole('button', { name: 'Filters' })).toBeVisible())
  })

  it('keep an author that the same touch commits as it presses a tag', async () => {
    const { user, popover, router } = await open()
    await user.type(within(popover).getByLabelText('Author'), 'cloud')
    const tag = await within(popover).findByRole('button', { name: 'saws' })
    // One touch, before the page is drawn again.
    act(() => {
      within(popover).getByLabelText('Author').blur()
      fireEvent.click(tag)
    })
    await waitFor(() => expect(router.state.location.search).toBe('?author=cloud&tags=saws'))
    await waitFor(() => expect(asked.at(-1)).toBe(`author=cloud&tags=saws&${DEFAULTS}`))
  })

  it('offer the modes of the game', async () => {
    const { popover } = await open()
    const options = within(within(popover).getByLabelText('Game Mode')).getAllByRole('option')
    expect(options.map((option) => option.textContent)).toEqual([
      'All modes',
      'Classic',
      'Grapple',
      'VTOL',
      'Arrows',
      'Death Arrows',
      'Simple',
    ])
  })

  it('stand as chips, each with a button that removes it', async () => {
    find([aMap()])
    const { user, router } = renderRoute('/map-search?name=x&author=y&gameMode=VTOL&tags=a,b')
    const chips = await screen.findByRole('list', { name: 'Active filters' })
    const remove = (name: string) => user.click(within(chips).getByRole('button', { name: `Remove filter ${name}` }))
    await remove('#a')
    await waitFor(() => expect(router.state.location.search).toBe('?name=x&gameMode=VTOL&author=y&tags=b'))
    expect(within(chips).getByRole('button', { name: 'Remove filter #b' })).toHaveFocus()
    await remove('Name: x')
    await remove('Mode: VTOL')
    await remove('Author: y')
    await remove('#b')
    await waitFor(() => expect(router.state.location.search).toBe(''))
    expect(screen.queryByRole('list', { name: 'Active filters' })).not.toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Search' })).toHaveFocus()
  })
})

describe('the order', () => {
  it('is chosen in a menu, in which Most Records is disabled', async () => {
    find([aMap()])
    const { user } = renderRoute('/map-search')
    await user.click(await screen.findByRole('button', { name: 'Sort: Newest First' }))
    const options = await screen.findAllByRole('menuitemradio')
    expect(options.map((option) => option.textContent)).toEqual([
      'Newest First',
      'Oldest First',
      'Name (A–Z)',
      'Name (Z–A)',
      'Most Records (coming soon)',
    ])
    expect(options[4]).toHaveAttribute('aria-disabled', 'true')
    await user.click(options[2] as HTMLElement)
    await waitFor(() => expect(asked.at(-1)).toBe('sortBy=name&sortDir=asc&page=1&limit=12'))
  })
})

describe('the list view', () => {
  it('has a table whose rows open the leaderboard, and is remembered', async () => {
    find([aMap({ tags: ['a', 'b', 'c', 'd'] })])
    const { user, router } = renderRoute('/map-search')
    await user.click(await screen.findByRole('button', { name: 'List view' }))
    const table = await screen.findByRole('table', { name: 'Maps', busy: false })
    expect(
      within(table)
        .getAllByRole('columnheader')
        .map((cell) => cell.textContent),
    ).toEqual(['Map', 'Author', 'Mode', 'Tags', 'Created'])
    const row = await within(table).findByRole('row', { name: /Skyline Run/ })
    expect(row).toHaveTextContent('Skyline Runcloudstep · ClassicCcloudstepClassicab+211 May 2026')
    server.use(http.get(url('/*'), () => problem(404)))
    await user.click(within(row).getByText('Classic'))
    await waitFor(() => expect(router.state.location.pathname).toBe(`/leaderboard/${aMap()._id}`))
    expect(localStorage.getItem('capzone-map-view')).toBe('list')
  })
})

describe('pages', () => {
  it('are not offered where there is only one', async () => {
    find([aMap()])
    renderRoute('/map-search')
    await screen.findByRole('article')
    expect(screen.queryByRole('navigation', { name: 'Pages of maps' })).not.toBeInTheDocument()
  })

  it('keep the focus on their buttons while the next one loads', async () => {
    find([aMap()], 3)
    const { user } = renderRoute('/map-search')
    const next = await screen.findByRole('button', { name: 'Next page' })
    server.use(http.get(url('/maps/search'), () => delay('infinite')))
    await user.click(next)
    expect(await screen.findByText('Loading maps...')).toBeVisible()
    expect(next).toBeInTheDocument()
    expect(next).toHaveFocus()
  })

  it('past the last map lead back, to the top', async () => {
    server.use(
      http.get(url('/maps/search'), ({ request }) =>
        HttpResponse.json(
          new URL(request.url).searchParams.get('page') === '1' ? page([aMap()]) : page([], { total: 1, page: 99 }),
        ),
      ),
    )
    const { user } = renderRoute('/map-search?page=99')
    expect(await screen.findByText('This page is past the last map.')).toBeVisible()
    const scrolled = vi.spyOn(window, 'scrollTo')
    await user.click(screen.getByRole('button', { name: 'First page' }))
    expect(await screen.findByRole('article')).toBeVisible()
    expect(scrolled).toHaveBeenCalledWith(0, 0)
  })

  it('begin at the first again after any other change, and scroll to the top', async () => {
    const scrolled = vi.spyOn(window, 'scrollTo')
    find([aMap()], 3)
    const { user, router } = renderRoute('/map-search')
    await user.click(await screen.findByRole('button', { name: 'Page 3' }))
    await waitFor(() => expect(asked.at(-1)).toContain('page=3'))
    expect(scrolled).toHaveBeenCalledWith(0, 0)
    expect(router.state.location.search).toBe('?page=3')
    await user.type(screen.getByRole('searchbox', { name: 'Map name' }), 'sky{Enter}')
    await waitFor(() => expect(asked.at(-1)).toBe(`name=sky&${DEFAULTS}`))
  })

  it.each([
    ['Remove filter Mode: VTOL', `tags=a&${DEFAULTS}`],
    ['Remove filter #a', `gameMode=VTOL&${DEFAULTS}`],
  ])('begin at the first again after "%s"', async (button, request) => {
    find([aMap()], 3)
    const { user } = renderRoute('/map-search?gameMode=VTOL&tags=a&page=3')
    await waitFor(() => expect(asked.at(-1)).toContain('page=3'))
    await user.click(await screen.findByRole('button', { name: button }))
    await waitFor(() => expect(asked.at(-1)).toBe(request))
  })

  it('begin at the first again in another order', async () => {
    find([aMap()], 3)
    const { user } = renderRoute('/map-search?page=3')
    await user.click(await screen.findByRole('button', { name: 'Sort: Newest First' }))
    await user.click(await screen.findByRole('menuitemradio', { name: 'Oldest First' }))
    await waitFor(() => expect(asked.at(-1)).toBe('sortBy=createdAt&sortDir=asc&page=1&limit=12'))
  })
})

describe('search settings', () => {
  it('are kept in local storage for the next visit', async () => {
    find([aMap()])
    const first = renderRoute('/map-search?name=sky&tags=a&sortBy=name&sortDir=desc&page=2')
    await screen.findByRole('article')
    first.unmount()
    const { router } = renderRoute('/map-search')
    await screen.findByRole('article')
    expect(asked.at(-1)).toBe('name=sky&tags=a&sortBy=name&sortDir=desc&page=1&limit=12')
    await waitFor(() => expect(router.state.location.search).toBe('?name=sky&tags=a&sortBy=name'))
  })

  it('of an address win over those of the storage', async () => {
    localStorage.setItem('capzone-map-search', 'name=old&gameMode=VTOL')
    find([aMap()])
    renderRoute('/map-search?name=new')
    await screen.findByRole('article')
    expect(asked).toEqual([`name=new&${DEFAULTS}`])
  })

  it('are restored where an address has only what others put there', async () => {
    localStorage.setItem('capzone-map-search', 'name=sky')
    find([aMap()])
    renderRoute('/map-search?fbclid=1')
    await screen.findByRole('article')
    expect(asked).toEqual([`name=sky&${DEFAULTS}`])
    expect(localStorage.getItem('capzone-map-search')).toBe('name=sky')
  })

  it('have as many tags as a map can have, and none that is longer', async () => {
    find([aMap()])
    const tags = Array.from({ length: 12 }, (_, i) => `t${i}`)
    renderRoute(`/map-search?tags=${'x'.repeat(25)},${tags.join(',')}`)
    await screen.findByRole('article')
    expect(new URLSearchParams(asked[0]).get('tags')).toBe(tags.slice(0, 10).join(','))
    // The settings are stored in an effect, which can run after the maps are shown.
    const stored = await waitFor(() => {
      const query = localStorage.getItem('capzone-map-search')
      expect(query).not.toBeNull()
      return new URLSearchParams(query ?? '')
    })
    expect(stored.get('tags')).toBe(tags.slice(0, 10).join(','))
  })

  it('that make no sense are as by default', async () => {
    find([aMap()])
    renderRoute('/map-search?gameMode=Chess&sortBy=recordCount&sortDir=desc&page=-4')
    await screen.findByRole('article')
    expect(asked).toEqual([DEFAULTS])
  })

  it('come back with the back button', async () => {
    find([aMap()])
    const { user, router } = renderRoute('/map-search?name=first')
    await screen.findByRole('article')
    const box = screen.getByRole('searchbox', { name: 'Map name' })
    await user.clear(box)
    await user.type(box, 'second{Enter}')
    await waitFor(() => expect(router.state.location.search).toBe('?name=second'))
    await router.navigate(-1)
    await waitFor(() => expect(screen.getByRole('searchbox', { name: 'Map name' })).toHaveValue('first'))
  })
})

describe('the search by the own times', () => {
  const openFilters = async (user: ReturnType<typeof renderRoute>['user']) =>
    user.click(await screen.findByRole('button', { name: /Filters/ }))

  it('filters by progress, with the other filters, in the address, and with a chip', async () => {
    find([aMap()])
    const { user, router } = renderRoute('/map-search?gameMode=VTOL', { user: cloudstep })
    await openFilters(user)
    await user.selectOptions(await screen.findByRole('combobox', { name: 'My Progress' }), 'Close to the next medal')
    await waitFor(() => expect(asked.at(-1)).toBe(`gameMode=VTOL&progress=near&${DEFAULTS}`))
    expect(router.state.location.search).toBe('?gameMode=VTOL&progress=near')
    await user.keyboard('{Escape}')
    await user.click(screen.getByRole('button', { name: 'Remove filter Close to the next medal' }))
    await waitFor(() => expect(router.state.location.search).toBe('?gameMode=VTOL'))
  })

  it.each([
    ['Closest to My Next Medal', 'sortBy=toNextMedal&sortDir=asc'],
    ['My Best Ranks', 'sortBy=myRank&sortDir=asc'],
  ])('sorts by "%s"', async (name, order) => {
    find([aMap()])
    const { user, router } = renderRoute('/map-search', { user: cloudstep })
    await user.click(await screen.findByRole('button', { name: /^Sort/ }))
    await user.click(await screen.findByRole('menuitemradio', { name }))
    await waitFor(() => expect(asked.at(-1)).toBe(`${order}&page=1&limit=12`))
    expect(router.state.location.search).toBe(`?${order}`)
  })

  it.each(['toNextMedal', 'myRank'])(
    'says that there is no time to sort by, and clears the order %s',
    async (sortBy) => {
      find([])
      const { user, router } = renderRoute(`/map-search?sortBy=${sortBy}&sortDir=asc`, { user: cloudstep })
      expect(await screen.findByText('You have no times yet to sort maps by.')).toBeVisible()
      await user.click(screen.getByRole('button', { name: 'Clear all filters' }))
      await waitFor(() => expect(asked.at(-1)).toBe(DEFAULTS))
      expect(router.state.location.search).toBe('')
      expect(await screen.findByText('The first map is still to come.')).toBeVisible()
    },
  )

  it('clears filters and an own order together', async () => {
    find([])
    const { user, router } = renderRoute('/map-search?name=x&sortBy=myRank&sortDir=asc', { user: cloudstep })
    expect(await screen.findByText('Try fewer filters.')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Clear all filters' }))
    await waitFor(() => expect(router.state.location.search).toBe(''))
  })

  it('sorts maps that were not played by another order', async () => {
    find([aMap()])
    const { user, router } = renderRoute('/map-search?sortBy=myRank&sortDir=asc', { user: cloudstep })
    await openFilters(user)
    const progress = await screen.findByRole('combobox', { name: 'My Progress' })
    await user.selectOptions(progress, 'Played')
    await waitFor(() => expect(router.state.location.search).toBe('?progress=played&sortBy=myRank&sortDir=asc'))
    await user.selectOptions(progress, 'Not played')
    await waitFor(() => expect(router.state.location.search).toBe('?progress=unplayed'))
  })

  it('sorts by the own times without the filter for maps that were not played', async () => {
    find([aMap()])
    const { user, router } = renderRoute('/map-search?progress=unplayed', { user: cloudstep })
    await user.click(await screen.findByRole('button', { name: /^Sort/ }))
    await user.click(await screen.findByRole('menuitemradio', { name: 'Name (A–Z)' }))
    await waitFor(() => expect(router.state.location.search).toBe('?progress=unplayed&sortBy=name&sortDir=asc'))
    await user.click(await screen.findByRole('button', { name: /^Sort/ }))
    await user.click(await screen.findByRole('menuitemradio', { name: 'My Best Ranks' }))
    await waitFor(() => expect(router.state.location.search).toBe('?sortBy=myRank&sortDir=asc'))
  })

  it('is not offered to visitors', async () => {
    find([aMap()])
    const { user } = renderRoute('/map-search')
    await openFilters(user)
    await screen.findByRole('combobox', { name: 'Game Mode' })
    expect(screen.queryByRole('combobox', { name: 'My Progress' })).not.toBeInTheDocument()
    await user.keyboard('{Escape}')
    await user.click(screen.getByRole('button', { name: /^Sort/ }))
    await screen.findByRole('menuitemradio', { name: 'Newest First' })
    expect(screen.queryByRole('menuitemradio', { name: 'My Best Ranks' })).not.toBeInTheDocument()
  })

  it.each(['?name=sky&progress=near', '?name=sky&sortBy=myRank&sortDir=asc'])(
    'asks visitors who open %s to log in, or to search without it',
    async (query) => {
      find([aMap()])
      const { user, router } = renderRoute(`/map-search${query}`)
      expect(await screen.findByText('Log in to search by your own times.')).toBeVisible()
      expect(asked).toEqual([])
      await user.click(screen.getByRole('button', { name: 'Search without my times' }))
      await waitFor(() => expect(asked).toEqual([`name=sky&${DEFAULTS}`]))
      expect(router.state.location.search).toBe('?name=sky')
    },
  )

  it('leads to the login and back', async () => {
    find([aMap()])
    server.use(http.get(url('/auth/request-room-link'), () => delay('infinite')))
    const { user, router } = renderRoute('/map-search?progress=near')
    const main = within(await screen.findByRole('main'))
    await user.click(await main.findByRole('link', { name: 'Login with Bonk.io' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/login-with-bonk'))
    expect(returnPathOf(router.state.location.state)).toBe('/map-search?progress=near')
  })

  it('is not restored by the next visit, which may be without a login', async () => {
    find([aMap()])
    const first = renderRoute('/map-search?name=sky&progress=near&sortBy=myRank&sortDir=asc', { user: cloudstep })
    await screen.findByRole('article')
    first.unmount()
    const { router } = renderRoute('/map-search')
    await screen.findByRole('article')
    expect(router.state.location.search).toBe('?name=sky')
  })
})
