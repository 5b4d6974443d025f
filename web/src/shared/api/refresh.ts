import { loggedOut, refreshed, type WithSession } from '../session/sessionSlice'
import type { RefreshAnswer } from './generated'

// Store is as much of the store as a refresh needs.
export interface Store {
  dispatch: (action: ReturnType<typeof refreshed> | ReturnType<typeof loggedOut>) => unknown
  getState: () => unknown
}

// RefreshOutcome tells a lost session from a server that could not be asked.
export type RefreshOutcome = 'refreshed' | 'refused' | 'unreachable'

// A refresh that hangs is given up before the tabs that wait for it lose their patience.
const REFRESH_PATIENCE_MS = 10_000
const LOCK_PATIENCE_MS = 15_000

let running: Promise<RefreshOutcome> | null = null

// refreshSession exchanges the refresh cookie for a new access token. Whoever calls while one runs shares it.
// A refusal logs out silently; a server that cannot be asked leaves the session as it was.
export function refreshSession(store: Store): Promise<RefreshOutcome> {
  running ??= acrossTabs(() => refresh(store)).finally(() => {
    running = null
  })
  return running
}

async function refresh(store: Store): Promise<RefreshOutcome> {
  try {
    // Not through the API's own base query: a refresh must never wait for a refresh.
    const response = await fetch(new URL('/api/v1/auth/refresh-token', location.origin), {
      credentials: 'include',
      headers: { Accept: 'application/json' },
      // The new cookie arrives also where the page is closed meanwhile.
      keepalive: true,
      signal: AbortSignal.timeout(REFRESH_PATIENCE_MS),
    })
    if (response.status === 401) {
      store.dispatch(loggedOut())
      return 'refused'
    }
    const answer: Partial<RefreshAnswer> = await response.json()
    if (!response.ok) throw new Error(`refresh answered ${response.status}`)
    const before = (store.getState() as WithSession).session.user
    if (!answer.success || !answer.accessToken || !(answer.user ?? before)) {
      store.dispatch(loggedOut())
      return 'refused'
    }
    store.dispatch(refreshed({ accessToken: answer.accessToken, user: answer.user ?? null }))
    return 'refreshed'
  } catch (error) {
    console.error('The session could not be refreshed.', error)
    return 'unreachable'
  }
}

// acrossTabs lets one tab at a time exchange the cookie that all of them share. Without the lock, because another tab
// holds it for too long or the browser refuses locks where site data is blocked, the work is done all the same.
async function acrossTabs<T>(work: () => Promise<T>): Promise<T> {
  let locked = false
  try {
    const signal = AbortSignal.timeout(LOCK_PATIENCE_MS)
    return await navigator.locks.request('capzone-refresh', { signal }, () => {
      locked = true
      return work()
    })
  } catch (error) {
    if (locked) throw error
    return work()
  }
}
