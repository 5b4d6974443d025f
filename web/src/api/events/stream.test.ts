import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { loggedIn, loggedOut } from '@/session/session'
import { type AppStore, makeStore } from '@/store/store'
import { cloudstep } from '@/test/fixtures'
import type { StreamEvent } from './parser'
import { readEvents } from './stream'

// A connection of the test: what the client sent, and what the server answers.
interface Connection {
  address: URL
  headers: Record<string, string>
  send: (text: string) => void
  close: () => void
}

let connections: Connection[] = []
let answers: (() => Response)[] = []
let events: StreamEvent[] = []
let opened = 0
let store: AppStore
let ending = new AbortController()

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(0)
  connections = []
  answers = []
  events = []
  opened = 0
  store = makeStore()
  ending = new AbortController()
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (address, init) => {
    const url = new URL(String(address))
    if (url.pathname === '/api/v1/auth/refresh-token') return answers.shift()?.() ?? new Response(null, { status: 503 })
    let stream: ReadableStreamDefaultController<Uint8Array> | undefined
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        stream = controller
      },
    })
    init?.signal?.addEventListener('abort', () => stream?.error(new DOMException('Aborted', 'AbortError')))
    const encoder = new TextEncoder()
    connections.push({
      address: url,
      headers: init?.headers as Record<string, string>,
      send: (text) => stream?.enqueue(encoder.encode(text)),
      close: () => stream?.close(),
    })
    return answers.shift()?.() ?? new Response(body)
  })
})
afterEach(() => ending.abort())

function read({ me = false } = {}) {
  const done = readEvents({
    store,
    me,
    lastId: () => events.at(-1)?.id ?? '',
    onOpen: () => opened++,
    onEvent: (event) => events.push(event),
    signal: ending.signal,
  })
  return done
}

// pass lets time pass, and everything happen that was waiting for it.
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const refused =
  (status: number, headers: HeadersInit = {}) =>
  () =>
    new Response(null, { status, headers })
const last = () => connections.at(-1) as Connection

describe('the reader of events', () => {
  it('reads the events of visitors', async () => {
    void read()
    await pass(0)
    expect(last().address.pathname + last().address.search).toBe('/api/v1/events')
    expect(last().headers).toEqual({ Accept: 'text/event-stream' })
    expect(opened).toBe(1)
    last().send('id: 7\nevent: record\ndata: {"mapId":"a"')
    last().send('}\n\n: keep-alive\n\n')
    await pass(0)
    expect(events).toEqual([{ type: 'record', data: '{"mapId":"a"}', id: '7' }])
  })

  it("reads a player's own events with the token in a header", async () => {
    store.dispatch(loggedIn({ accessToken: 'token', user: cloudstep }))
    void read({ me: true })
    await pass(0)
    expect(last().address.search).toBe('?me=true')
    expect(last().headers).toMatchObject({ Authorization: 'Bearer token' })
  })

  it('connects again after the pause that the server asks for, and continues after the last event', async () => {
    void read()
    await pass(0)
    last().send('retry: 5000\nid: 7\nevent: record\ndata: {}\n\n')
    await pass(0)
    last().close()
    await pass(4999)
    expect(connections).toHaveLength(1)
    await pass(1)
    expect(connections).toHaveLength(2)
    expect(last().headers).toMatchObject({ 'Last-Event-ID': '7' })
  })

  it('continues after the last position, which needs no event', async () => {
    void read()
    await pass(0)
    last().send(': keep-alive\nid: 9\n\n')
    await pass(0)
    expect(events).toEqual([{ type: 'position', data: '', id: '9' }])
    last().close()
    await pass(2000)
    expect(last().headers).toMatchObject({ 'Last-Event-ID': '9' })
  })

  it('waits longer after each failure, and not longer than a minute', async () => {
    answers = Array.from({ length: 20 }, () => () => {
      throw new TypeError('Failed to fetch')
    })
    void read()
    for (const [ms, attempts] of [
      [0, 1],
      [2000, 2],
      [4000, 3],
      [8000, 4],
      [16_000, 5],
      [32_000, 6],
      [60_000, 7],
      [60_000, 8],
    ] as const) {
      await pass(ms)
      expect(connections).toHaveLength(attempts)
    }
  })

  it.each([404, 429, 503])('tries again rarely where the stream is refused with %i', async (status) => {
    answers = [refused(status), refused(status)]
    void read()
    await pass(29_999)
    expect(connections).toHaveLength(1)
    await pass(1)
    expect(connections).toHaveLength(2)
    await pass(59_999)
    expect(connections).toHaveLength(2)
    await pass(1)
    expect(connections).toHaveLength(3)
    expect(opened).toBe(1)
  })

  it('waits as long as a refusal says', async () => {
    answers = [refused(503, { 'Retry-After': '120' })]
    void read()
    await pass(119_999)
    expect(connections).toHaveLength(1)
    await pass(1)
    expect(connections).toHaveLength(2)
  })

  it('connects at once when there is a network again', async () => {
    answers = [refused(503)]
    void read()
    await pass(0)
    dispatchEvent(new Event('online'))
    await pass(0)
    expect(connections).toHaveLength(2)
  })

  it('closes a connection on which nothing arrives', async () => {
    void read()
    await pass(39_000)
    last().send(': keep-alive\n\n')
    await pass(39_000)
    expect(connections).toHaveLength(1)
    await pass(3000)
    expect(connections).toHaveLength(2)
  })

  it('refreshes the session that has ended, and connects again', async () => {
    store.dispatch(loggedIn({ accessToken: 'old', user: cloudstep }))
    answers = [refused(401), () => Response.json({ success: true, accessToken: 'new', user: cloudstep })]
    void read({ me: true })
    await pass(0)
    expect(connections).toHaveLength(2)
    expect(last().headers).toMatchObject({ Authorization: 'Bearer new' })
    store.dispatch(loggedOut())
  })

  it('ends with the signal', async () => {
    const done = read()
    await pass(0)
    ending.abort()
    await expect(done).resolves.toBeUndefined()
    await pass(600_000)
    expect(connections).toHaveLength(1)
  })
})
