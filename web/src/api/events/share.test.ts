import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { shareConnection } from './share'

// Locks and channels as browsers have them, for the tabs of a test.
class Locks {
  private readonly held = new Set<string>()
  private readonly queue: { name: string; start: () => void }[] = []

  request(name: string, options: { signal?: AbortSignal }, work: (lock: object | null) => unknown): Promise<void> {
    const { signal } = options
    return new Promise((resolve, reject) => {
      const start = () => {
        this.held.add(name)
        void Promise.resolve(work({})).finally(() => {
          this.held.delete(name)
          resolve()
          this.next()
        })
      }
      if (!signal && this.held.has(name)) return resolve(work(null) as undefined)
      const waiting = { name, start }
      signal?.addEventListener('abort', () => {
        if (!this.queue.includes(waiting)) return
        this.queue.splice(this.queue.indexOf(waiting), 1)
        reject(signal.reason)
      })
      this.queue.push(waiting)
      this.next()
    })
  }

  private next(): void {
    const i = this.queue.findIndex(({ name }) => !this.held.has(name))
    if (i >= 0) this.queue.splice(i, 1)[0]?.start()
  }
}

const channels = new Set<Channel>()
class Channel extends EventTarget {
  constructor(readonly name: string) {
    super()
    channels.add(this)
  }
  postMessage(data: unknown) {
    for (const other of channels) {
      if (other !== this && other.name === this.name) other.dispatchEvent(new MessageEvent('message', { data }))
    }
  }
  close() {
    channels.delete(this)
  }
}

let visibility: DocumentVisibilityState = 'visible'
const endings: (() => void)[] = []

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('BroadcastChannel', Channel)
  vi.stubGlobal('navigator', { locks: new Locks() })
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visibility)
  visibility = 'visible'
})
afterEach(() => {
  for (const end of endings.splice(0)) end()
  vi.unstubAllGlobals()
})

// openTab is a tab with what it received. It is connected while it has a connection.
function openTab(name = 'events') {
  const tab = {
    received: [] as string[],
    missed: 0,
    send: undefined as ((message: string) => void) | undefined,
    close: () => {},
  }
  tab.close = shareConnection<string>({
    name,
    connect: (send, signal) => {
      tab.send = send
      return new Promise<void>((resolve) =>
        signal.addEventListener('abort', () => {
          tab.send = undefined
          resolve()
        }),
      )
    },
    onMessage: (message) => tab.received.push(message),
    onMissed: () => tab.missed++,
  })
  endings.push(tab.close)
  return tab
}

const turn = async (to: DocumentVisibilityState) => {
  visibility = to
  document.dispatchEvent(new Event('visibilitychange'))
  await vi.advanceTimersByTimeAsync(0)
}

describe('a shared connection', () => {
  it('is held by one tab, and all receive what it sends', async () => {
    const [first, second] = [openTab(), openTab()]
    await vi.advanceTimersByTimeAsync(0)
    expect(second.send).toBeUndefined()
    expect([first.missed, second.missed]).toEqual([0, 1])
    first.send?.('a')
    expect([first.received, second.received]).toEqual([['a'], ['a']])
  })

  it('is taken over when its tab is closed', async () => {
    const [first, second] = [openTab(), openTab()]
    await vi.advanceTimersByTimeAsync(0)
    first.close()
    await vi.advanceTimersByTimeAsync(0)
    second.send?.('a')
    expect([first.received, second.received]).toEqual([[], ['a']])
  })

  it('is another one for another player', () => {
    const [first, second] = [openTab('events:a'), openTab('events:b')]
    first.send?.('a')
    second.send?.('b')
    expect([first.received, second.received]).toEqual([['a'], ['b']])
  })

  it('ends after five minutes in the background, and begins again when the page is shown', async () => {
    const tab = openTab()
    await turn('hidden')
    await vi.advanceTimersByTimeAsync(5 * 60_000 - 1)
    expect(tab.send).toBeDefined()
    await vi.advanceTimersByTimeAsync(1)
    expect(tab.send).toBeUndefined()
    expect(tab.missed).toBe(0)
    await turn('visible')
    expect(tab.send).toBeDefined()
    expect(tab.missed).toBe(1)
  })

  it('stays where the page is hidden for less', async () => {
    const tab = openTab()
    await turn('hidden')
    await vi.advanceTimersByTimeAsync(4 * 60_000)
    await turn('visible')
    await vi.advanceTimersByTimeAsync(4 * 60_000)
    expect(tab.send).toBeDefined()
    expect(tab.missed).toBe(0)
  })

  it('belongs to each tab where locks are blocked', async () => {
    vi.stubGlobal('navigator', {})
    vi.stubGlobal('BroadcastChannel', undefined)
    const [first, second] = [openTab(), openTab()]
    first.send?.('a')
    second.send?.('b')
    expect([first.received, second.received]).toEqual([['a'], ['b']])
  })
})
