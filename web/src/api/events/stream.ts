import { selectAccessToken } from '@/session/session'
import { refreshSession, type SessionStore } from '../refresh'
import { addressOf } from '../request'
import { EventParser, type StreamEvent } from './parser'

export interface StreamOptions {
  store: SessionStore
  /** Asks for the player's own events, too. */
  me: boolean
  /** Returns the id of the last event, after which the stream continues, or ''. */
  lastId: () => string
  onOpen: () => void
  onEvent: (event: StreamEvent) => void
  signal: AbortSignal
}

/** How a connection ended. */
interface Ending {
  /** The server has sent something. */
  served: boolean
  /** The server's status where it refused the stream. */
  status?: number
  /** The pause that the server asked for. */
  retryMs?: number | undefined
}

// A connection is lost for a moment. A stream that is refused has too many readers, or the server has none.
const LOST = { first: 2000, longest: 60_000 }
const REFUSED = { first: 30_000, longest: 600_000 }
// The server sends something every 15 seconds; a connection on which nothing arrives is dead.
const SILENT_MS = 40_000

/** The type of an event that only says up to where everything was read. The server does not send it as one. */
const POSITION = 'position'

/** Reads the events of the server until the signal, and connects again where the connection ends. */
export async function readEvents(options: StreamOptions): Promise<void> {
  const { signal } = options
  let failures = 0
  while (!signal.aborted) {
    let ending = await connect(options)
    if (ending.status === 401 && (await refreshSession(options.store)) === 'refreshed') ending = await connect(options)
    failures = ending.served ? 0 : failures + 1
    await pause(pauseOf(ending, failures), signal)
  }
}

/** Returns the pause after a connection, which grows with each failure; each browser has its own. */
export function pauseOf({ status, retryMs }: Ending, failures: number): number {
  const { first, longest } = status ? REFUSED : LOST
  const grown = Math.min(first * 2 ** (failures - 1), longest)
  const asked = retryMs ?? first
  return Math.max(asked, failures > 0 ? grown : 0) * (1 + Math.random() / 2)
}

async function connect({ store, me, lastId, onOpen, onEvent, signal }: StreamOptions): Promise<Ending> {
  const token = me ? selectAccessToken(store.getState()) : null
  const connection = new AbortController()
  const close = () => connection.abort()
  signal.addEventListener('abort', close)
  const parser = new EventParser()
  const decoder = new TextDecoder()
  let served = false
  let silence = setTimeout(close, SILENT_MS)
  try {
    const response = await fetch(addressOf({ url: '/events', params: me ? { me } : {} }), {
      headers: {
        Accept: 'text/event-stream',
        ...(token && { Authorization: `Bearer ${token}` }),
        ...(lastId() && { 'Last-Event-ID': lastId() }),
      },
      cache: 'no-store',
      signal: connection.signal,
    })
    if (!response.ok || !response.body) return { served, status: response.status, retryMs: retryAfter(response) }
    onOpen()
    const reader = response.body.getReader()
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      clearTimeout(silence)
      silence = setTimeout(close, SILENT_MS)
      served = true
      for (const event of parser.push(decoder.decode(part.value, { stream: true }))) onEvent(event)
      if (parser.id !== '' && parser.id !== lastId()) onEvent({ type: POSITION, data: '', id: parser.id })
    }
  } catch {
    // The connection was lost, or is no longer needed.
  } finally {
    clearTimeout(silence)
    signal.removeEventListener('abort', close)
    close()
  }
  return { served, retryMs: parser.retryMs }
}

function retryAfter({ headers }: Response): number | undefined {
  const seconds = Number(headers.get('Retry-After') ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds * 1000 : undefined
}

/** Waits, until there is a network again at most. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      removeEventListener('online', end)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    addEventListener('online', end)
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
  })
}
