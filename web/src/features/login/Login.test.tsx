import { i18n } from '@lingui/core'
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { LoginState } from '@/api'
import { activateLocale } from '@/locales'
import { returnTo } from '@/session/session'
import { aRanking, cloudstep, page } from '@/test/fixtures'
import { renderRoute } from '@/test/render'
import { problem, server, url } from '@/test/server'

// What the server would say next.
let status: { status: LoginState; message: string }
let rooms: number
let polls: number
let codes: string[]

beforeEach(() => {
  status = { status: 'pending', message: '' }
  rooms = 0
  polls = 0
  codes = []
  server.use(
    http.get(url('/auth/request-room-link'), () => {
      rooms++
      return HttpResponse.json({
        success: true,
        sessionId: `session ${rooms}`,
        roomLink: `https://game.example/room/${rooms}`,
        expiresIn: 180,
      })
    }),
    http.get(url('/auth/status'), () => {
      polls++
      return HttpResponse.json({ success: true, status, expiresIn: 170 })
    }),
    http.post<never, { code: string }>(url('/auth/verify-code'), async ({ request }) => {
      codes.push((await request.json()).code)
      return HttpResponse.json({ success: true, accessToken: 'token', player: cloudstep })
    }),
    http.get(url('/stats'), () => HttpResponse.json({ success: true, data: {} })),
    http.get(url('/maps/search'), () => HttpResponse.json(page([]))),
    http.get(url('/rankings'), () => HttpResponse.json(aRanking([]))),
    http.get(url('/records/world-records'), () => HttpResponse.json({ success: true, data: [] })),
    http.get(url('/records/goals'), () => HttpResponse.json({ success: true, data: { kind: 'goals', goals: [] } })),
    http.get(url('/players/:id/points'), () => problem(404)),
    http.get(url('/inbox'), () => HttpResponse.json({ success: true, data: [], pagination: { limit: 3, next: null } })),
    http.get(url('/records'), () => HttpResponse.json(page([]))),
  )
  // Time goes on by itself, so that requests come back; pass() makes it jump.
  vi.useFakeTimers({
    shouldAdvanceTime: true,
    toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'Date'],
  })
})

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

async function open() {
  const view = renderRoute('/login-with-bonk')
  await screen.findByRole('link', { name: 'Join Verification Room' })
  return view
}

// openEntry opens the page and waits until it asks for the code.
async function openEntry() {
  const view = await open()
  status = { status: 'code_provided', message: '' }
  await pass(3000)
  await screen.findByRole('form', { name: 'Verification code' })
  return view
}

const entry = () => screen.getByRole('textbox', { name: 'Enter the 6-digit code' })

// The entry has the focus by itself.
async function paste(text: string) {
  expect(entry()).toHaveFocus()
  await userEvent.setup({ advanceTimers: vi.advanceTimersByTime }).paste(text)
}

describe('the language', () => {
  const accountOf = (language: string | null) => {
    const stored: unknown[] = []
    server.use(
      http.get(url('/me/account'), () => HttpResponse.json({ success: true, data: { language } })),
      http.patch(url('/me/account'), async ({ request }) => {
        stored.push(await request.json())
        return HttpResponse.json({ success: true, data: { language: 'es' } })
      }),
    )
    return stored
  }
  // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no Cookie Store API.
  const setCookie = (cookie: string) => (document.cookie = cookie)
  afterEach(() => {
    activateLocale('en')
    setCookie('lang=; max-age=0')
  })

  it.each([[''], ['lang=es']])(
    'is that of the account after a login, in a browser with the cookie "%s"',
    async (cookie) => {
      setCookie(cookie)
      const stored = accountOf('de')
      await openEntry()
      await paste('123456')
      await pass(300)
      await waitFor(() => expect(document.documentElement).toHaveAttribute('lang', 'de'))
      expect(document.cookie).toBe('lang=de')
      expect(stored).toEqual([])
    },
  )

  it('that was chosen in the browser becomes that of an account without one', async () => {
    setCookie('lang=es')
    const stored = accountOf(null)
    await openEntry()
    await paste('123456')
    await pass(300)
    await waitFor(() => expect(stored).toEqual([{ language: 'es' }]))
  })
})

describe('the login page', () => {
  it('asks for a room and links to it', async () => {
    await open()
    const link = screen.getByRole('link', { name: 'Join Verification Room' })
    expect(link).toHaveAttribute('href', 'https://game.example/room/1')
    expect(link).toHaveAttribute('target', '_blank')
    expect(screen.getByText('Waiting for you to join the room...').closest('[role=status]')).toBeInTheDocument()
  })

  it('shows how many logins are before this one, and links to the room when it is open', async () => {
    let place: number | undefined = 2
    server.use(
      http.get(url('/auth/request-room-link'), () =>
        HttpResponse.json({ success: true, sessionId: 'session 1', place, expiresIn: 90 }),
      ),
      http.get(url('/auth/status'), () =>
        HttpResponse.json({
          success: true,
          status: { status: 'pending', message: place ? '2 before you from your network.' : 'Waiting for you.' },
          ...(place === undefined
            ? { roomLink: 'https://game.example/room/1', expiresIn: 180 }
            : { place, expiresIn: 80 }),
        }),
      ),
    )
    renderRoute('/login-with-bonk')
    expect(await screen.findByText('Your room is being prepared. 2 before you.')).toBeInTheDocument()
    expect(screen.queryByRole('link', { name: 'Join Verification Room' })).not.toBeInTheDocument()
    await pass(3000)
    expect(await screen.findByText('2 before you from your network.')).toBeInTheDocument()
    place = undefined
    await pass(3000)
    const link = await screen.findByRole('link', { name: 'Join Verification Room' })
    expect(link).toHaveAttribute('href', 'https://game.example/room/1')
    expect(screen.getByText('The room stays open for 3:00')).toBeInTheDocument()
  })

  it('asks for the status every 3 seconds, and shows its sentence', async () => {
    await open()
    await pass(2000)
    expect(polls).toBe(0)
    await pass(1000)
    await waitFor(() => expect(polls).toBe(1))
    expect(screen.getByText('Waiting for you to join the room...')).toBeInTheDocument()
    status = { status: 'pending', message: 'Guests cannot log in.' }
    await pass(2000)
    expect(polls).toBe(1)
    await pass(1000)
    expect(await screen.findByText('Guests cannot log in.')).toBeInTheDocument()
    expect(polls).toBe(2)
    expect(screen.queryByRole('form', { name: 'Verification code' })).not.toBeInTheDocument()
  })

  it('shows how long the room stays open, by the seconds that the server gave', async () => {
    await open()
    expect(screen.getByText('The room stays open for 3:00')).toBeInTheDocument()
    await pass(61_000)
    expect(await screen.findByText('The room stays open for 1:59')).toBeInTheDocument()
  })

  it('writes the time that is left in the digits of the locale', async () => {
    i18n.loadAndActivate({ locale: 'other', locales: 'ar-EG', messages: {} })
    onTestFinished(() => activateLocale('en'))
    await open()
    expect(screen.getByText('The room stays open for ٣:٠٠')).toBeInTheDocument()
  })

  it('only logs a status that cannot be read, and goes on', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    server.use(http.get(url('/auth/status'), () => problem(500, { message: 'Broken.' }), { once: true }))
    await open()
    await pass(3000)
    await waitFor(() => expect(logged).toHaveBeenCalled())
    expect(screen.queryByText('Broken.')).not.toBeInTheDocument()
    await pass(3000)
    await waitFor(() => expect(polls).toBe(1))
  })

  it('submits the code 300 ms after its sixth digit, stops polling, and goes home after 2 seconds', async () => {
    const { router, store } = await openEntry()
    await paste('012345')
    expect(codes).toEqual([])
    await pass(300)
    await waitFor(() => expect(codes).toEqual(['012345']))
    await waitFor(() => expect(screen.getAllByText('Successfully logged in!').length).toBeGreaterThan(0))
    await waitFor(() =>
      expect(store.getState().session).toMatchObject({
        accessToken: 'token',
        user: cloudstep,
      }),
    )
    const before = polls
    await pass(1000)
    expect(router.state.location.pathname).toBe('/login-with-bonk')
    await pass(1000)
    await waitFor(() => expect(router.state.location.pathname).toBe('/'))
    await pass(6000)
    expect(polls).toBe(before)
  })

  it('returns to the page that required the login', async () => {
    server.use(http.get(url('/players/:id'), () => problem(404)))
    const { router } = renderRoute({ pathname: '/login-with-bonk', state: returnTo('/player/x?from=login') })
    await screen.findByRole('link', { name: 'Join Verification Room' })
    status = { status: 'code_provided', message: 'Enter the code.' }
    await pass(3000)
    await screen.findByRole('textbox', { name: 'Enter the 6-digit code' })
    await paste('012345')
    await pass(300)
    await waitFor(() => expect(codes).toEqual(['012345']))
    await pass(2500)
    await waitFor(() =>
      expect(router.state.location.pathname + router.state.location.search).toBe('/player/x?from=login'),
    )
  })

  it('has a Verify button, which needs six digits', async () => {
    await openEntry()
    expect(screen.getByRole('button', { name: 'Verify' })).toBeDisabled()
    await paste('123456')
    fireEvent.click(screen.getByRole('button', { name: 'Verify' }))
    await pass(400)
    await waitFor(() => expect(codes).toEqual(['123456']))
  })

  it('takes digits alone', async () => {
    await openEntry()
    await userEvent.setup({ advanceTimers: vi.advanceTimersByTime }).type(entry(), '1a2b-3 45')
    expect(entry()).toHaveValue('12345')
    await pass(400)
    expect(codes).toEqual([])
  })

  it.each([
    ['blanks around and between', ' 123 456\n'],
    ['the sentence that it stood in', 'Room 7: your code is 123456. Tell nobody.'],
  ])('takes a code that was copied with %s', async (_, text) => {
    await openEntry()
    await userEvent.setup({ advanceTimers: vi.advanceTimersByTime }).type(entry(), '98')
    await paste(text)
    expect(entry()).toHaveValue('123456')
    await pass(300)
    await waitFor(() => expect(codes).toEqual(['123456']))
  })

  it('says that a code is wrong, empties itself, and takes the next', async () => {
    server.use(
      http.post(
        url('/auth/verify-code'),
        () => problem(422, { code: 'code_wrong', message: 'This code is wrong.', data: { triesLeft: 4 } }),
        { once: true },
      ),
    )
    await openEntry()
    await paste('111111')
    await pass(300)
    expect(await screen.findByText('This code is wrong. 4 tries left.')).toHaveAttribute('role', 'alert')
    expect(entry()).toHaveValue('')
    expect(entry()).toHaveFocus()
    expect(entry()).toHaveAccessibleDescription('This code is wrong. 4 tries left.')
    await paste('222222')
    await pass(300)
    await waitFor(() => expect(codes).toEqual(['222222']))
  })

  it.each(['failed', 'timeout', 'invalid'] as const)('stops at %s, and offers to try again', async (ended) => {
    await open()
    status = { status: ended, message: 'This login is over.' }
    await pass(3000)
    expect(await screen.findByText('This login is over.')).toBeInTheDocument()
    expect(screen.queryByRole('link', { name: 'Join Verification Room' })).not.toBeInTheDocument()
    const before = polls
    await pass(9000)
    expect(polls).toBe(before)
    fireEvent.click(screen.getByRole('button', { name: 'Try Again' }))
    const link = await screen.findByRole('link', { name: 'Join Verification Room' })
    expect(link).toHaveAttribute('href', 'https://game.example/room/2')
  })

  it.each([
    ['failed', 'The login failed. Please try again.'],
    ['timeout', 'The room has closed. Please try again.'],
    ['invalid', 'This login is no longer valid. Please try again.'],
  ] as const)('has a sentence for %s where the server has none', async (ended, text) => {
    await open()
    status = { status: ended, message: '' }
    await pass(3000)
    expect(await screen.findByText(text)).toBeInTheDocument()
    expect(screen.queryByText('Waiting for you to join the room...')).not.toBeInTheDocument()
  })

  it('asks for the code where the server says nothing else', async () => {
    await openEntry()
    expect(screen.getByText('The bot in the room has sent you a code. Enter it here.')).toBeInTheDocument()
  })

  it('says when there is no room', async () => {
    server.use(http.get(url('/auth/request-room-link'), () => problem(503), { once: true }))
    renderRoute('/login-with-bonk')
    expect(await screen.findByText('Error retrieving room link. Please try again.')).toBeInTheDocument()
    expect(await screen.findByText('Unable to fetch verification room link.')).toBeInTheDocument()
    fireEvent.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(await screen.findByRole('link', { name: 'Join Verification Room' })).toBeInTheDocument()
  })

  it('takes over a login that another tab has finished', async () => {
    server.use(
      http.get(url('/auth/refresh-token'), () =>
        HttpResponse.json({ success: true, accessToken: 'fresh', user: cloudstep }),
      ),
    )
    const { router, store } = await open()
    status = { status: 'success', message: 'Welcome!' }
    await pass(3000)
    expect(await screen.findByText('Welcome!')).toBeInTheDocument()
    await pass(2000)
    await waitFor(() => expect(router.state.location.pathname).toBe('/'))
    expect(store.getState().session.accessToken).toBe('fresh')
  })

  it('leads a player who is logged in home', async () => {
    const { router } = renderRoute('/login-with-bonk', { user: cloudstep })
    await waitFor(() => expect(router.state.location.pathname).toBe('/'))
    expect(rooms).toBe(0)
  })
})
