import { isUser, loggedIn, loggedOut, type WithSession } from '@/session/session'
import { request } from './request'

/** The part of the store that a refresh needs. */
export interface SessionStore {
  dispatch: (action: ReturnType<typeof loggedIn> | ReturnType<typeof loggedOut>) => unknown
  getState: () => WithSession
}

/** 'refused' is a session that has ended, 'unreachable' a server that could not be asked. */
export type RefreshOutcome = 'refreshed' | 'refused' | 'unreachable'

// A refresh that hangs ends before the tabs that wait for the lock stop waiting.
const REFRESH_TIMEOUT_MS = 10_000
const LOCK_TIMEOUT_MS = 15_000

let running: Promise<RefreshOutcome> | null = null

/**
 * Exchanges the refresh cookie for a new access token. Concurrent callers share one exchange. A refusal logs out
 * silently; a server that cannot be asked leaves the session unchanged.
 */
export function refreshSession(store: SessionStore): Promise<RefreshOutcome> {
  running ??= inOneTab(() => refresh(store)).finally(() => {
    running = null
  })
  return running
}

const RETRY_FIRST_MS = 3000
const RETRY_LONGEST_MS = 60_000

/**
 * Refreshes the session until the server has answered: at once or after a pause, and then after growing pauses or when
 * there is a network again. It reports each outcome, and returns a function that ends it.
 */
export function refreshUntilAnswered(
  store: SessionStore,
  report: (outcome: RefreshOutcome) => void,
  { now }: { now: boolean },
): () => void {
  let pause = RETRY_FIRST_MS
  let timer: ReturnType<typeof setTimeout>
  let ended = false
  const end = () => {
    ended = true
    clearTimeout(timer)
    removeEventListener('online', attempt)
  }
  const wait = () => {
    clearTimeout(timer)
    timer = setTimeout(attempt, pause)
    pause = Math.min(pause * 2, RETRY_LONGEST_MS)
  }
  async function attempt() {
    clearTimeout(timer)
    const outcome = await refreshSession(store)
    if (ended) return
    if (outcome === 'unreachable') wait()
    else end()
    report(outcome)
  }
  addEventListener('online', attempt)
  if (now) void attempt()
  else wait()
  return end
}

async function refresh(store: SessionStore): Promise<RefreshOutcome> {
  // Not through the API's base query: a refresh must never wait for a refresh.
  const { data, error } = await request(
    { url: '/auth/refresh-token' },
    // The new cookie arrives also where the page is closed meanwhile.
    { token: null, keepalive: true, signal: AbortSignal.timeout(REFRESH_TIMEOUT_MS) },
  )
  if (error && error.status !== 401) {
    console.error('The session could not be refreshed.', error)
    return 'unreachable'
  }
  const accessToken = data && 'accessToken' in data ? data.accessToken : undefined
  const user = data && 'user' in data && isUser(data.user) ? data.user : store.getState().session.user
  if (typeof accessToken !== 'string' || accessToken === '' || !user) {
    store.dispatch(loggedOut())
    return 'refused'
  }
  store.dispatch(loggedIn({ accessToken, user }))
  return 'refreshed'
}

/**
 * Lets one tab at a time exchange the cookie that all tabs share. Where the lock is held for too long, or locks are
 * blocked, the work is done without it.
 */
async function inOneTab<T>(work: () => Promise<T>): Promise<T> {
  let locked = false
  try {
    const signal = AbortSignal.timeout(LOCK_TIMEOUT_MS)
    return await navigator.locks.request('capzone-refresh', { signal }, () => {
      locked = true
      return work()
    })
  } catch (error) {
    if (locked) throw error
    return work()
  }
}
