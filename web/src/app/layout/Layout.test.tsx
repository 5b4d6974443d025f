import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { config } from '@/config'
import { loggedOut } from '@/session/session'
import { aMap, aPlayer, cloudstep, mossfoot, page } from '@/test/fixtures'
import { renderRoute } from '@/test/render'
import { problem, server, url } from '@/test/server'
import { nextPaint } from '@/ui/usePainted'

describe('the header', () => {
  it('links home and to the chat, and logs in by the name of the game', async () => {
    renderRoute('/privacy')
    const header = await screen.findByRole('banner')
    expect(within(header).getByRole('link', { name: 'Capzone, home' })).toHaveAttribute('href', '/')
    expect(within(header).getByRole('link', { name: 'Community chat' })).toHaveAttribute('href', config.chatUrl)
    expect(within(header).getByRole('link', { name: 'Login with Bonk.io' })).toHaveAttribute('href', '/login-with-bonk')
  })

  it('has Submit Record, My Profile and Log Out for a player who is logged in', async () => {
    const { user } = renderRoute('/privacy', { user: cloudstep })
    expect(await screen.findByRole('link', { name: 'Submit Record' })).toHaveAttribute('href', '/replay-submit')
    await user.click(await screen.findByRole('button', { name: 'Account of cloudstep' }))
    const menu = await screen.findByRole('menu')
    expect(within(menu).getByRole('menuitem', { name: 'Submit Record' })).toHaveAttribute('href', '/replay-submit')
    expect(within(menu).getByRole('menuitem', { name: 'My Profile' })).toHaveAttribute(
      'href',
      `/player/${cloudstep._id}`,
    )
    expect(within(menu).getByRole('menuitem', { name: 'Log Out' })).toBeVisible()
  })

  it.each([
    ['the server agrees', () => HttpResponse.json({ success: true }), 'Successfully logged out!'],
    ['the server does not answer', () => problem(503), 'You are logged out here, but the server could not be told.'],
  ])('logs out when %s', async (_, answer, said) => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    server.use(http.post(url('/auth/logout'), answer))
    const { user, store, router } = renderRoute('/privacy', { user: cloudstep })
    await user.click(await screen.findByRole('button', { name: 'Account of cloudstep' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Log Out' }))
    expect(await screen.findByText(said)).toBeVisible()
    expect(store.getState().session.user).toBeNull()
    await waitFor(() => expect(screen.getByRole('main')).toHaveFocus())
    expect(await screen.findByRole('link', { name: 'Login with Bonk.io' })).toBeVisible()
    expect(router.state.location.pathname).toBe('/privacy')
  })

  describe('on a page that needs a login', () => {
    beforeEach(() => {
      vi.spyOn(console, 'error').mockImplementation(() => {})
      server.use(
        http.post(url('/auth/logout'), () => HttpResponse.json({ success: true })),
        http.get(url('/stats'), () => problem(503)),
        http.get(url('/maps/search'), () => problem(503)),
        http.get(url('/rankings'), () => problem(503)),
        http.get(url('/records'), () => problem(503)),
        http.get(url('/records/world-records'), () => problem(503)),
        http.get(url('/tokens'), () => HttpResponse.json({ success: true, data: [] })),
      )
    })

    it.each(['/inbox', '/settings/tokens'])('leads home from %s at the logout', async (path) => {
      const { user, store, router } = renderRoute(path, { user: cloudstep })
      await user.click(await screen.findByRole('button', { name: 'Account of cloudstep' }))
      await user.click(await screen.findByRole('menuitem', { name: 'Log Out' }))
      expect(await screen.findByText('Successfully logged out!')).toBeVisible()
      expect(store.getState().session.user).toBeNull()
      await waitFor(() => expect(router.state.location.pathname).toBe('/'))
      await waitFor(() => expect(screen.getByRole('main')).toHaveFocus())
    })

    it('keeps the page where the session only ends', async () => {
      const { store, router } = renderRoute('/inbox', { user: cloudstep })
      await screen.findByRole('heading', { level: 1, name: 'Inbox' })
      act(() => void store.dispatch(loggedOut()))
      expect(await screen.findByRole('link', { name: 'Login with Bonk.io' })).toBeVisible()
      expect(router.state.location.pathname).toBe('/inbox')
      expect(screen.getByRole('heading', { level: 1, name: 'Inbox' })).toBeVisible()
    })
  })
})

describe('the navigation', () => {
  it.each([
    ['/map-search', 'Maps', 'page'],
    ['/map-search/listed', 'Maps', 'true'],
    ['/leaderboard/a', 'Maps', 'true'],
    ['/player-search', 'Players', 'page'],
    ['/rankings/formula', 'Players', 'true'],
    [`/player/${cloudstep._id}`, 'Players', 'true'],
    ['/events', 'Events', 'page'],
    ['/events/summer', 'Events', 'true'],
  ])('marks the section of %s', async (path, section, current) => {
    server.use(http.get(url('/*'), () => problem(404)))
    renderRoute(path)
    const navigation = await screen.findByRole('navigation', { name: 'Site' })
    const marked = within(navigation)
      .getAllByRole('link')
      .filter((link) => ['page', 'true'].includes(link.getAttribute('aria-current') ?? ''))
    expect(marked.map((link) => link.textContent)).toEqual([section])
    expect(marked[0]).toHaveAttribute('aria-current', current)
  })
})

describe('the colour mode', () => {
  it('is dark at first, changes with the toggle, and is kept', async () => {
    const { user } = renderRoute('/privacy')
    await user.click(await screen.findByRole('button', { name: 'Switch to light mode' }))
    expect(document.documentElement).toHaveClass('light')
    expect(localStorage.getItem('capzone-colour-mode')).toBe('light')
    await user.click(screen.getByRole('button', { name: 'Switch to dark mode' }))
    expect(document.documentElement).toHaveClass('dark')
    expect(localStorage.getItem('capzone-colour-mode')).toBe('dark')
  })

  it('changes without storage, for as long as the page is open', async () => {
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('Storage is blocked.', 'SecurityError')
    })
    const { user } = renderRoute('/privacy')
    await user.click(await screen.findByRole('button', { name: 'Switch to light mode' }))
    expect(document.documentElement).toHaveClass('light')
    expect(screen.getByLabelText('Colours')).toHaveValue('light')
    vi.restoreAllMocks()
    await user.click(screen.getByRole('button', { name: 'Switch to dark mode' }))
    expect(document.documentElement).toHaveClass('dark')
  })

  it('can follow the system', async () => {
    const light = { matches: true, addEventListener() {}, removeEventListener() {} }
    vi.spyOn(window, 'matchMedia').mockReturnValue(light as unknown as MediaQueryList)
    const { user } = renderRoute('/privacy')
    expect(await screen.findByLabelText('Colours')).toHaveValue('dark')
    await user.selectOptions(screen.getByLabelText('Colours'), 'system')
    expect(document.documentElement).toHaveClass('light')
    expect(localStorage.getItem('capzone-colour-mode')).toBe('system')
  })
})

function narrowWindow() {
  const media = Object.assign(new EventTarget(), { matches: false })
  vi.spyOn(window, 'matchMedia').mockReturnValue(media as unknown as MediaQueryList)
  return media
}

describe('the navigation', () => {
  it('leads to every section', async () => {
    renderRoute('/privacy')
    const navigation = await screen.findByRole('navigation', { name: 'Site' })
    const links = within(navigation).getAllByRole('link', { hidden: true })
    expect(links.slice(0, 5).map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Home', '/'],
      ['Maps', '/map-search'],
      ['Players', '/player-search'],
      ['MapSeries', '/mapSeries'],
      ['Events', '/events'],
    ])
  })

  it('opens the Submit menu on hover and closes it 300 ms after the pointer has left', async () => {
    renderRoute('/privacy')
    const button = await screen.findByRole('button', { name: 'Submit' })
    const menu = button.parentElement as HTMLElement
    vi.useFakeTimers()
    try {
      fireEvent.pointerEnter(menu, { pointerType: 'mouse' })
      expect(button).toHaveAttribute('aria-expanded', 'true')
      fireEvent.pointerLeave(menu, { pointerType: 'mouse' })
      await vi.advanceTimersByTimeAsync(299)
      expect(button).toHaveAttribute('aria-expanded', 'true')
      await vi.advanceTimersByTimeAsync(1)
    } finally {
      vi.useRealTimers()
    }
    await waitFor(() => expect(button).toHaveAttribute('aria-expanded', 'false'))
  })

  it('keeps the Submit menu open when the pointer comes back in time', async () => {
    renderRoute('/privacy')
    const button = await screen.findByRole('button', { name: 'Submit' })
    const menu = button.parentElement as HTMLElement
    vi.useFakeTimers()
    try {
      fireEvent.pointerEnter(menu, { pointerType: 'mouse' })
      fireEvent.pointerLeave(menu, { pointerType: 'mouse' })
      await vi.advanceTimersByTimeAsync(200)
      fireEvent.pointerEnter(menu, { pointerType: 'mouse' })
      await vi.advanceTimersByTimeAsync(1000)
    } finally {
      vi.useRealTimers()
    }
    expect(button).toHaveAttribute('aria-expanded', 'true')
  })

  it('works the Submit menu by keyboard', async () => {
    const { user } = renderRoute('/privacy')
    const button = await screen.findByRole('button', { name: 'Submit' })
    button.focus()
    await user.keyboard('{Enter}')
    expect(button).toHaveAttribute('aria-expanded', 'true')
    await user.keyboard('{ArrowDown}')
    expect(screen.getByRole('link', { name: 'Submit Record' })).toHaveFocus()
    await user.keyboard('{ArrowDown}')
    expect(screen.getByRole('link', { name: 'Submit Map' })).toHaveFocus()
    expect(screen.getByRole('link', { name: 'Create Map Series' })).toHaveAttribute('aria-disabled', 'true')
    await user.keyboard('{Escape}')
    expect(button).toHaveAttribute('aria-expanded', 'false')
    expect(button).toHaveFocus()
  })

  it('closes the Submit menu with Escape wherever the focus is', async () => {
    const { user } = renderRoute('/privacy')
    const button = await screen.findByRole('button', { name: 'Submit' })
    const elsewhere = screen.getByRole('link', { name: 'Community chat' })
    elsewhere.focus()
    fireEvent.pointerEnter(button.parentElement as HTMLElement, { pointerType: 'mouse' })
    expect(button).toHaveAttribute('aria-expanded', 'true')
    await user.keyboard('{Escape}')
    expect(button).toHaveAttribute('aria-expanded', 'false')
    expect(elsewhere).toHaveFocus()
  })

  it('keeps the Submit menu open under the keyboard when the pointer leaves', async () => {
    const { user } = renderRoute('/privacy')
    const button = await screen.findByRole('button', { name: 'Submit' })
    const menu = button.parentElement as HTMLElement
    fireEvent.pointerEnter(menu, { pointerType: 'mouse' })
    button.focus()
    await user.keyboard('{ArrowDown}')
    expect(screen.getByRole('link', { name: 'Submit Record' })).toHaveFocus()
    vi.useFakeTimers()
    try {
      fireEvent.pointerLeave(menu, { pointerType: 'mouse' })
      await vi.advanceTimersByTimeAsync(1000)
    } finally {
      vi.useRealTimers()
    }
    expect(button).toHaveAttribute('aria-expanded', 'true')
  })

  it('opens as a drawer on small screens', async () => {
    narrowWindow()
    const { user } = renderRoute('/privacy')
    await user.click(await screen.findByRole('button', { name: 'Open menu' }))
    const drawer = await screen.findByRole('dialog', { name: 'Menu' })
    expect(within(drawer).getByRole('link', { name: 'Events' })).toHaveAttribute('href', '/events')
    expect(within(drawer).getByRole('link', { name: 'Submit Map' })).toHaveAttribute('href', '/map-submit')
  })

  it('leaves the focus in the search field of the drawer, where a visitor was faster', async () => {
    narrowWindow()
    const { user } = renderRoute('/privacy')
    await user.click(await screen.findByRole('button', { name: 'Open menu' }))
    const drawer = await screen.findByRole('dialog', { name: 'Menu' })
    const field = within(drawer).getByRole('combobox')
    field.focus()
    // The drawer takes the focus in the next frame.
    await act(nextPaint)
    expect(field).toHaveFocus()
  })

  it('closes the drawer when the window becomes wide, and only then', async () => {
    const media = narrowWindow()
    const { user } = renderRoute('/privacy')
    await user.click(await screen.findByRole('button', { name: 'Open menu' }))
    const drawer = await screen.findByRole('dialog', { name: 'Menu' })
    const change = (matches: boolean) =>
      act(async () => void Object.assign(media, { matches }).dispatchEvent(new Event('change')))
    await change(false)
    expect(drawer).toBeVisible()
    await change(true)
    await waitFor(() => expect(drawer).not.toBeInTheDocument())
  })
})

it('carries the disclaimer and the privacy link in the footer', async () => {
  renderRoute('/privacy')
  const footer = await screen.findByRole('contentinfo')
  expect(footer).toHaveTextContent('fan-made community site')
  expect(footer).toHaveTextContent('not affiliated with the owners of Bonk.io')
  expect(within(footer).getByRole('link', { name: 'Privacy Policy' })).toHaveAttribute('href', '/privacy')
})

it('shows that the server is unavailable, and restores the page by itself', async () => {
  let up = false
  server.use(
    http.get(url('/players/search'), () =>
      up
        ? HttpResponse.json({
            success: true,
            data: [],
            pagination: { total: 0, page: 1, limit: 12, pages: 0 },
          })
        : HttpResponse.error(),
    ),
    http.get(`${location.origin}/healthz`, () => (up ? new HttpResponse('ok') : HttpResponse.error())),
  )
  renderRoute('/player-search')
  expect(await screen.findByText(/server can't be reached/)).toBeVisible()
  // A page that is shown after an error asks again by itself, so that the alert can be replaced by the next one.
  await waitFor(() => expect(screen.getByText('Error searching players')).toBeVisible())
  up = true
  window.dispatchEvent(new Event('online'))
  expect(await screen.findByText('No players found.', undefined, { timeout: 5000 })).toBeVisible()
  expect(screen.queryByText(/server can't be reached/)).not.toBeInTheDocument()
})

describe('a page of its own', () => {
  it.each(['/mapSeries', '/mapSeries/a/b', '/events', '/events/1'])('is coming soon at %s', async (path) => {
    const { user, router } = renderRoute(path)
    expect(await screen.findByText('Coming Soon')).toBeVisible()
    server.use(http.get(url('/*'), () => problem(404)))
    vi.spyOn(console, 'error').mockImplementation(() => {})
    await user.click(screen.getByRole('link', { name: 'Return to Home' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/'))
  })

  it('has a text of its own for events', async () => {
    renderRoute('/events')
    const events = (await screen.findByText(/Races at a fixed hour/)).textContent
    renderRoute('/mapSeries')
    expect((await screen.findByText(/Maps that belong together/)).textContent).not.toBe(events)
  })

  it.each(['/nothing', '/create-map-series', '/player', '/leaderboard'])('is not found at %s', async (path) => {
    renderRoute(path)
    expect(await screen.findByRole('heading', { name: 'Page Not Found' })).toBeVisible()
    expect(screen.getByRole('link', { name: 'Return to Home' })).toHaveAttribute('href', '/')
    expect(document.title).toBe('Page Not Found · Capzone')
  })

  it('has a privacy text, with an address and the disclaimer', async () => {
    renderRoute('/privacy')
    expect(await screen.findByRole('heading', { name: 'Privacy Policy' })).toBeVisible()
    expect(screen.getByRole('link', { name: config.contact })).toHaveAttribute('href', `mailto:${config.contact}`)
    expect(screen.getByText(/not affiliated with, endorsed or run by/)).toBeVisible()
    for (const stored of [
      'colour mode',
      'last map search',
      'cards or as a list',
      'last visit',
      'name',
      'a report',
      'not yet sent',
    ]) {
      expect(screen.getByText(/browser also stores/)).toHaveTextContent(stored)
    }
  })
})

describe('the search field', () => {
  it('is focused by the slash key, and Enter searches maps', async () => {
    // Where Enter comes late, suggestions are asked for.
    server.use(
      http.get(url('/maps/search'), () => problem(503)),
      http.get(url('/players/search'), () => problem(503)),
    )
    const { user, router } = renderRoute('/privacy')
    const field = await screen.findByRole('combobox', { name: 'Search maps and players' })
    await user.keyboard('/')
    expect(field).toHaveFocus()
    await user.keyboard('sky{Enter}')
    await waitFor(() => expect(router.state.location.pathname).toBe('/map-search'))
    expect(router.state.location.search).toBe('?name=sky')
  })

  it('is opened and focused by the slash key where the window is narrow', async () => {
    narrowWindow()
    // What has no size takes no focus.
    vi.spyOn(Element.prototype, 'getClientRects').mockReturnValue([{}] as unknown as DOMRectList)
    const { user } = renderRoute('/privacy')
    await screen.findByRole('button', { name: 'Open menu' })
    await user.keyboard('/')
    const drawer = await screen.findByRole('dialog', { name: 'Menu' })
    const field = within(drawer).getByRole('combobox', { name: 'Search maps and players' })
    await waitFor(() => expect(field).toHaveFocus())
    expect(field).toHaveValue('')
    // The button opens it at its first link, also afterwards.
    await user.keyboard('{Escape}')
    await waitFor(() => expect(drawer).not.toBeInTheDocument())
    await user.click(screen.getByRole('button', { name: 'Open menu' }))
    const again = await screen.findByRole('dialog', { name: 'Menu' })
    await waitFor(() => expect(within(again).getByRole('link', { name: 'Home' })).toHaveFocus())
  })

  it('suggests maps and players, by one request each, and opens what is chosen by keyboard', async () => {
    const asked: string[] = []
    server.use(
      http.get(url('/maps/search'), ({ request }) => {
        asked.push(new URL(request.url).search)
        return HttpResponse.json(page([aMap({ name: 'Moss Garden' })]))
      }),
      http.get(url('/players/search'), ({ request }) => {
        asked.push(new URL(request.url).search)
        return HttpResponse.json(page([aPlayer({ _id: mossfoot._id, name: 'mossfoot' })]))
      }),
      http.get(url('/*'), () => problem(503)),
    )
    const { user, router } = renderRoute('/privacy')
    const field = await screen.findByRole('combobox', { name: 'Search maps and players' })
    await user.type(field, 'moss')
    await screen.findByRole('option', { name: /Moss Garden/ })
    await screen.findByRole('option', { name: 'mossfoot' })
    expect(asked.map((query) => Object.fromEntries(new URLSearchParams(query)))).toEqual([
      { name: 'moss', page: '1', limit: '3' },
      { name: 'moss', page: '1', limit: '3' },
    ])
    expect(
      within(screen.getByRole('listbox'))
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['Moss Gardencloudstep', 'Maps named “moss”', 'Mmossfoot', 'Players named “moss”'])
    await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}')
    const chosen = screen.getByRole('option', { name: 'mossfoot' })
    expect(chosen).toHaveAttribute('aria-selected', 'true')
    expect(field).toHaveAttribute('aria-activedescendant', chosen.id)
    expect(field).toHaveFocus()
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('listbox')).not.toBeInTheDocument()
    await user.keyboard('{ArrowDown}')
    await screen.findByRole('option', { name: 'mossfoot' })
    await user.keyboard('{ArrowUp}{Enter}')
    await waitFor(() => expect(router.state.location.pathname).toBe('/player-search'))
  })
})
