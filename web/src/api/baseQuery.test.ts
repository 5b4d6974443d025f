import { readFileSync } from 'node:fs'
import { HttpResponse, http } from 'msw'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { loggedIn } from '@/session/session'
import { makeStore } from '@/store/store'
import { aMap, cloudstep, page } from '@/test/fixtures'
import { problem, server, url } from '@/test/server'
import { MULTIPART_ENDPOINTS } from './baseQuery'
import { api } from './index'

// A server that takes one token, and refreshes an old one into it.
function guard({ refresh }: { refresh: () => Response | Promise<Response> }) {
  const calls = { maps: [] as (string | null)[], refresh: 0 }
  server.use(
    http.get(url('/maps/search'), ({ request }) => {
      const token = request.headers.get('Authorization')
      calls.maps.push(token)
      return token === 'Bearer fresh' ? HttpResponse.json(page([aMap()])) : problem(401, { code: 'token_expired' })
    }),
    http.get(url('/auth/refresh-token'), () => {
      calls.refresh++
      return refresh()
    }),
  )
  return calls
}

function loggedInStore() {
  const store = makeStore()
  store.dispatch(loggedIn({ accessToken: 'old', user: cloudstep }))
  return store
}

const search = (store: ReturnType<typeof makeStore>, pageNumber = 1) =>
  store.dispatch(api.endpoints.searchMaps.initiate({ page: pageNumber }))

const fresh = () => HttpResponse.json({ success: true, accessToken: 'fresh', user: cloudstep })

describe('a request', () => {
  it('is sent below /api/v1 with cookies and the access token', async () => {
    const seen = vi.fn()
    server.use(
      http.get(url('/maps/search'), ({ request }) => {
        seen(request.credentials, request.headers.get('Authorization'))
        return HttpResponse.json(page([]))
      }),
    )
    await search(loggedInStore())
    expect(seen).toHaveBeenCalledWith('include', 'Bearer old')
  })

  it('carries no token where none is held', async () => {
    const calls = guard({ refresh: () => problem(401) })
    await search(makeStore())
    expect(calls.maps).toEqual([null])
  })

  it('is retried once after a refresh when the token has expired', async () => {
    const calls = guard({ refresh: fresh })
    const store = loggedInStore()
    const { data } = await search(store)
    expect(data?.data).toHaveLength(1)
    expect(calls).toEqual({ maps: ['Bearer old', 'Bearer fresh'], refresh: 1 })
    expect(store.getState().session.accessToken).toBe('fresh')
  })

  it('waits with others for one refresh, and retries with the new token', async () => {
    const calls = guard({ refresh: fresh })
    const store = loggedInStore()
    const answers = await Promise.all([1, 2, 3, 4].map((n) => search(store, n)))
    expect(answers.every((answer) => answer.isSuccess)).toBe(true)
    expect(calls.refresh).toBe(1)
    expect(calls.maps.filter((token) => token === 'Bearer fresh')).toHaveLength(4)
  })

  it.each([
    ['is refused', () => problem(401, { code: 'refresh_expired' })],
    ['finds no session', () => HttpResponse.json({ success: false, code: 'refresh_missing' })],
  ])('fails when the refresh %s, and logs out', async (_, refresh) => {
    const calls = guard({ refresh })
    const store = loggedInStore()
    const answers = await Promise.all([search(store, 1), search(store, 2)])
    expect(answers.every((answer) => answer.isError)).toBe(true)
    expect(calls.refresh).toBe(1)
    expect(store.getState().session).toEqual({ accessToken: null, user: null })
  })

  describe('whose refresh cannot be asked for', () => {
    beforeEach(() => {
      vi.spyOn(console, 'error').mockImplementation(() => {})
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
    })
    afterEach(() => {
      vi.useRealTimers()
    })

    // Answers the first refreshes with 503, as while auth is restarted.
    const awayFor = (times: number) => () => (times-- > 0 ? problem(503) : fresh())

    it('is sent again when the refresh has succeeded at the third try', async () => {
      const calls = guard({ refresh: awayFor(2) })
      const store = loggedInStore()
      const answer = search(store)
      await vi.waitFor(() => expect(calls.refresh).toBe(1))
      await vi.advanceTimersByTimeAsync(1000)
      await vi.waitFor(() => expect(calls.refresh).toBe(2))
      await vi.advanceTimersByTimeAsync(2000)
      expect((await answer).data?.data).toHaveLength(1)
      expect(calls.refresh).toBe(3)
    })

    it('fails with a sentence after three tries, and does not log out', async () => {
      const calls = guard({ refresh: awayFor(Number.POSITIVE_INFINITY) })
      const store = loggedInStore()
      const answer = search(store)
      await vi.waitFor(() => expect(calls.refresh).toBe(1))
      await vi.advanceTimersByTimeAsync(1000)
      await vi.waitFor(() => expect(calls.refresh).toBe(2))
      await vi.advanceTimersByTimeAsync(2000)
      expect((await answer).error).toMatchObject({ status: 503, code: 'session_unavailable' })
      expect(calls.refresh).toBe(3)
      expect(store.getState().session.user).toEqual(cloudstep)
    })
  })

  it('is not tried a third time', async () => {
    const calls = guard({
      refresh: () => HttpResponse.json({ success: true, accessToken: 'also old', user: cloudstep }),
    })
    expect((await search(loggedInStore())).isError).toBe(true)
    expect(calls.maps).toHaveLength(2)
  })
})

describe('a server', () => {
  const plain = (status: number, text: string) =>
    new HttpResponse(text, { status, headers: { 'Content-Type': 'text/plain' } })
  it.each([
    ['that does not answer', () => HttpResponse.error(), true],
    ['behind a proxy that finds none', () => plain(502, 'Bad Gateway'), true],
    ['behind a proxy that waits in vain', () => plain(504, '<html>Gateway Timeout</html>'), true],
    ['behind a proxy that turns requests away', () => plain(503, 'no available server'), true],
    ['whose gateway finds a service away', () => problem(502), true],
    ['that is busy', () => problem(503, { message: 'Not now.' }), false],
    ['that fails', () => problem(500), false],
    ['that answers', () => HttpResponse.json(page([])), false],
  ])('%s is away or not', async (_, answer, away) => {
    server.use(http.get(url('/maps/search'), answer))
    const store = makeStore()
    await search(store)
    expect(store.getState().connection.away).toBe(away)
  })

  it('is away also for a form that a proxy turns away', async () => {
    server.use(http.put(url('/players/1'), () => plain(503, 'no available server')))
    const store = loggedInStore()
    const skinImage = new File(['x'], 'me.webp', { type: 'image/webp' })
    await store.dispatch(api.endpoints.updatePlayer.initiate({ id: '1', playerUpdate: { skinImage } }))
    expect(store.getState().connection.away).toBe(true)
  })
})

it('is unavailable also where the second try of a request has no answer', async () => {
  let tries = 0
  server.use(
    http.get(url('/auth/refresh-token'), () =>
      HttpResponse.json({ success: true, accessToken: 'new', user: cloudstep }),
    ),
    http.get(url('/stats'), () => (tries++ === 0 ? problem(401) : HttpResponse.error())),
  )
  const store = loggedInStore()
  await store.dispatch(api.endpoints.getStats.initiate())
  expect(tries).toBe(2)
  expect(store.getState().connection.away).toBe(true)
})

describe('the session in storage', () => {
  it('holds the user and the flag under auth-storage, and never the token', () => {
    loggedInStore()
    const kept = sessionStorage.getItem('auth-storage') ?? ''
    expect(JSON.parse(kept)).toEqual({ user: cloudstep, isAuthenticated: true })
    expect(kept).not.toContain('old')
    expect(JSON.stringify(localStorage)).not.toContain('old')
  })

  it('is nothing where it is malformed', () => {
    sessionStorage.setItem('auth-storage', '{"user": 7, "isAuthenticated": true}')
    expect(makeStore().getState().session).toEqual({ accessToken: null, user: null })
  })
})

describe('a form', () => {
  it('is sent as multipart by the endpoints that the document describes so', () => {
    const document = JSON.parse(readFileSync('../gateway/internal/apidoc/openapi.json', 'utf8'))
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path as object))
    const multipart = operations.filter((operation) => operation.requestBody?.content['multipart/form-data'])
    expect(multipart.map(({ operationId }) => operationId).sort()).toEqual([...MULTIPART_ENDPOINTS].sort())
  })

  it('is made of a body that holds a file', async () => {
    let sent: FormData | undefined
    server.use(
      http.put(url('/players/1'), async ({ request }) => {
        sent = await request.formData()
        return HttpResponse.json({ success: true, data: {} })
      }),
    )
    const skinImage = new File(['x'], 'me.webp', { type: 'image/webp' })
    await loggedInStore().dispatch(api.endpoints.updatePlayer.initiate({ id: '1', playerUpdate: { skinImage } }))
    expect(sent?.has('skinImage')).toBe(true)
    expect(sent?.has('roles')).toBe(false)
  })
})
