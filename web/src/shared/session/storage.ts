import { ofTab, readStored, store } from '../lib/storage'
import type { SessionState, User } from './sessionSlice'

const KEY = 'auth-storage'

type Kept = Pick<SessionState, 'user' | 'isAuthenticated'>

// readSession returns what this tab kept of the last session. Anything malformed counts as nothing.
export function readSession(): Kept {
  try {
    const kept: unknown = JSON.parse(readStored(ofTab, KEY) ?? 'null')
    if (isKept(kept)) return { user: kept.user, isAuthenticated: true }
  } catch {
    // Another version may have written it.
  }
  return { user: null, isAuthenticated: false }
}

// keepSession stores the user and the flag, never the access token. Without storage the session lives as long as
// the page.
export function keepSession({ user, isAuthenticated }: Kept): void {
  store(ofTab, KEY, user && isAuthenticated ? JSON.stringify({ user, isAuthenticated }) : null)
}

function isKept(value: unknown): value is { user: User; isAuthenticated: true } {
  if (typeof value !== 'object' || value === null) return false
  const { user, isAuthenticated } = value as Partial<Kept>
  return isAuthenticated === true && typeof user?._id === 'string' && typeof user.name === 'string'
}
