import { HttpResponse, http } from 'msw'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { loggedIn } from '@/session/session'
import { makeStore } from '@/store/store'
import { cloudstep } from '@/test/fixtures'
import { problem, server, url } from '@/test/server'
import { download } from './download'

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
})
afterEach(() => {
  vi.useRealTimers()
})

// Starts a download with an expired token while the first refreshes are answered with 503, as while auth is restarted.
function start({ away }: { away: number }) {
  let refreshes = 0
  server.use(
    http.get(url('/me/export'), ({ request }) =>
      request.headers.get('Authorization') === 'Bearer fresh'
        ? new HttpResponse('{}')
        : problem(401, { code: 'token_expired', message: 'Please log in again.' }),
    ),
    http.get(url('/auth/refresh-token'), () =>
      refreshes++ < away ? problem(503) : HttpResponse.json({ success: true, accessToken: 'fresh', user: cloudstep }),
    ),
  )
  const store = makeStore()
  store.dispatch(loggedIn({ accessToken: 'old', user: cloudstep }))
  return { store, downloaded: download(store, { url: '/me/export' }), refreshes: () => refreshes }
}

it('a download is sent again when the refresh has succeeded at the third try', async () => {
  const { downloaded, refreshes } = start({ away: 2 })
  await vi.waitFor(() => expect(refreshes()).toBe(1))
  await vi.advanceTimersByTimeAsync(1000)
  await vi.waitFor(() => expect(refreshes()).toBe(2))
  await vi.advanceTimersByTimeAsync(2000)
  expect((await downloaded).file?.size).toBe(2)
})

it('a download whose refresh cannot be asked for asks for no login', async () => {
  const { store, downloaded, refreshes } = start({ away: Number.POSITIVE_INFINITY })
  await vi.waitFor(() => expect(refreshes()).toBe(1))
  await vi.advanceTimersByTimeAsync(1000)
  await vi.waitFor(() => expect(refreshes()).toBe(2))
  await vi.advanceTimersByTimeAsync(2000)
  expect((await downloaded).error).toMatchObject({ status: 503, code: 'session_unavailable' })
  expect(store.getState().session.user).toEqual(cloudstep)
})
