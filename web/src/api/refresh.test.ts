import { HttpResponse, http } from 'msw'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { makeStore } from '@/store/store'
import { cloudstep } from '@/test/fixtures'
import { server, url } from '@/test/server'
import { isServerUp } from './connection'
import { refreshSession } from './refresh'

// What every limit of time hangs on, by its length.
let limits: Map<number, AbortController>

beforeEach(() => {
  limits = new Map()
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const limit = new AbortController()
    limits.set(ms, limit)
    return limit.signal
  })
})

afterEach(() => vi.unstubAllGlobals())

const fresh = () => HttpResponse.json({ success: true, accessToken: 'fresh', user: cloudstep })
const timeIsUp = () => new DOMException('The time is up.', 'TimeoutError')

// withLocks stands in for the browser's locks, which jsdom lacks.
const withLocks = (request: (name: string, options: LockOptions, work: () => unknown) => unknown) =>
  vi.stubGlobal('navigator', { ...navigator, locks: { request } })

describe('a refresh', () => {
  it('waits for the lock that the tabs share, and holds it while it runs', async () => {
    const held: string[] = []
    server.use(http.get(url('/auth/refresh-token'), fresh))
    withLocks(async (name, _, work) => {
      held.push(name)
      return work()
    })
    const store = makeStore()
    expect(await refreshSession(store)).toBe('refreshed')
    expect(held).toEqual(['capzone-refresh'])
    expect(store.getState().session.accessToken).toBe('fresh')
  })

  it('outlives the page', async () => {
    const fetched = vi.spyOn(globalThis, 'fetch')
    server.use(http.get(url('/auth/refresh-token'), fresh))
    await refreshSession(makeStore())
    expect(fetched).toHaveBeenCalledWith(expect.anything(), expect.objectContaining({ keepalive: true }))
  })

  it('goes on without a lock that the browser refuses', async () => {
    server.use(http.get(url('/auth/refresh-token'), fresh))
    withLocks(() => Promise.reject(new DOMException('Storage is blocked.', 'SecurityError')))
    expect(await refreshSession(makeStore())).toBe('refreshed')
  })

  it('goes on without a lock that another tab holds for too long', async () => {
    server.use(http.get(url('/auth/refresh-token'), fresh))
    withLocks(
      (_, { signal }) => new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
    )
    const outcome = refreshSession(makeStore())
    limits.get(15_000)?.abort(timeIsUp())
    expect(await outcome).toBe('refreshed')
  })

  it('gives up a server that does not answer', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    let asked = () => {}
    const arrived = new Promise<void>((resolve) => {
      asked = resolve
    })
    server.use(
      http.get(url('/auth/refresh-token'), () => {
        asked()
        return new Promise<never>(() => {})
      }),
    )
    const outcome = refreshSession(makeStore())
    await arrived
    limits.get(10_000)?.abort(timeIsUp())
    expect(await outcome).toBe('unreachable')
    expect(logged).toHaveBeenCalled()
  })
})

it('takes a server that does not answer for one that is away', async () => {
  let asked = () => {}
  const arrived = new Promise<void>((resolve) => {
    asked = resolve
  })
  server.use(
    http.get(`${location.origin}/healthz`, () => {
      asked()
      return new Promise<never>(() => {})
    }),
  )
  const up = isServerUp()
  await arrived
  limits.get(5000)?.abort(timeIsUp())
  expect(await up).toBe(false)
})
