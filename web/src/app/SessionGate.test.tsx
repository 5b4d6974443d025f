import { render, screen, waitFor } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { describe, expect, it, vi } from 'vitest'
import type { RefreshOutcome } from '@/api/refresh'
import { loggedIn } from '@/session/session'
import { makeStore } from '@/store/store'
import { cloudstep } from '@/test/fixtures'
import { problem, server, url } from '@/test/server'
import { Providers } from './Providers'
import { checkSession, SessionGate } from './SessionGate'

async function open(asked?: Promise<RefreshOutcome>, store = makeStore()) {
  const first = await checkSession(store, asked)
  render(
    <Providers store={store}>
      <SessionGate first={first}>
        <p>The site</p>
      </SessionGate>
    </Providers>,
  )
  return store
}

describe('the session check', () => {
  it('lets a visitor pass without a session', async () => {
    const store = await open()
    await screen.findByText('The site')
    expect(store.getState().session).toEqual({ accessToken: null, user: null })
  })

  it('waits for a refresh that was asked for before, and asks for no other', async () => {
    const asked = vi.fn(() => problem(401))
    server.use(http.get(url('/auth/refresh-token'), asked))
    let answer: (outcome: RefreshOutcome) => void = () => {}
    const opened = open(new Promise((resolve) => (answer = resolve)))
    answer('refused')
    await opened
    expect(screen.getByText('The site')).toBeVisible()
    expect(asked).not.toHaveBeenCalled()
  })

  it('lets a player with a token pass without a refresh', async () => {
    const asked = vi.fn(() => problem(401))
    server.use(http.get(url('/auth/refresh-token'), asked))
    const store = makeStore()
    store.dispatch(loggedIn({ accessToken: 'token', user: cloudstep }))
    await open(undefined, store)
    expect(await screen.findByText('The site')).toBeVisible()
    expect(asked).not.toHaveBeenCalled()
    expect(store.getState().session.accessToken).toBe('token')
  })

  it('brings a session back by its cookie', async () => {
    server.use(
      http.get(url('/auth/refresh-token'), () =>
        HttpResponse.json({ success: true, accessToken: 'fresh', user: cloudstep }),
      ),
    )
    const store = await open()
    await screen.findByText('The site')
    expect(store.getState().session).toEqual({ accessToken: 'fresh', user: cloudstep })
  })

  it('keeps the user of the tab where the refresh does not name one', async () => {
    sessionStorage.setItem('auth-storage', JSON.stringify({ user: cloudstep, isAuthenticated: true }))
    server.use(http.get(url('/auth/refresh-token'), () => HttpResponse.json({ success: true, accessToken: 'fresh' })))
    const store = await open()
    await screen.findByText('The site')
    expect(store.getState().session.user).toEqual(cloudstep)
  })

  it.each([
    ['there is no cookie', () => HttpResponse.json({ success: false, code: 'refresh_missing' })],
    ['the refresh is refused', () => problem(401, { code: 'refresh_expired' })],
  ])('logs out silently where %s', async (_, answer) => {
    const logged = vi.spyOn(console, 'error')
    sessionStorage.setItem('auth-storage', JSON.stringify({ user: cloudstep, isAuthenticated: true }))
    server.use(http.get(url('/auth/refresh-token'), answer))
    const store = await open()
    await screen.findByText('The site')
    expect(store.getState().session.user).toBeNull()
    expect(sessionStorage.getItem('auth-storage')).toBeNull()
    expect(logged).not.toHaveBeenCalled()
    expect(screen.queryByRole('status')).not.toBeInTheDocument()
  })

  it('only logs a refresh that fails otherwise', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    sessionStorage.setItem('auth-storage', JSON.stringify({ user: cloudstep, isAuthenticated: true }))
    server.use(http.get(url('/auth/refresh-token'), () => problem(503)))
    const store = await open()
    await screen.findByText('The site')
    expect(logged).toHaveBeenCalled()
    expect(store.getState().session.user).toEqual(cloudstep)
  })

  it.each([429, 503])('brings the session back later where the refresh answers %i at first', async (status) => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    sessionStorage.setItem('auth-storage', JSON.stringify({ user: cloudstep, isAuthenticated: true }))
    let answers = 0
    server.use(
      http.get(url('/auth/refresh-token'), () =>
        ++answers < 3 ? problem(status) : HttpResponse.json({ success: true, accessToken: 'fresh', user: cloudstep }),
      ),
    )
    const store = await open()
    await screen.findByText('The site')
    expect(store.getState().session.accessToken).toBeNull()
    // What a browser says when it has a network again makes it try at once.
    await waitFor(() => {
      dispatchEvent(new Event('online'))
      expect(store.getState().session.accessToken).toBe('fresh')
    })
    expect(answers).toBe(3)
  })

  it('does not ask again after a refusal', async () => {
    let answers = 0
    server.use(
      http.get(url('/auth/refresh-token'), () => {
        answers++
        return problem(401)
      }),
    )
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
    try {
      await open()
      await screen.findByText('The site')
      await vi.advanceTimersByTimeAsync(120_000)
    } finally {
      vi.useRealTimers()
    }
    expect(answers).toBe(1)
  })

  it('says that the server is away, and goes on by itself when it is back', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    server.use(
      http.get(url('/auth/refresh-token'), () => HttpResponse.error(), { once: true }),
      http.get(`${location.origin}/healthz`, () => HttpResponse.error(), { once: true }),
    )
    await open()
    expect(await screen.findByRole('heading', { name: /cannot be reached/ })).toBeVisible()
    expect(screen.getAllByRole('main')).toHaveLength(1)
    dispatchEvent(new Event('online'))
    expect(await screen.findByText('The site')).toBeVisible()
  })
})
