import { readStorage, writeStorage } from '@/ui/storage'
import type { SessionState, User } from './types'

const KEY = 'auth-storage'

type StoredSession = Pick<SessionState, 'user' | 'isAuthenticated'>

/** Returns the session that this tab stored. A malformed value counts as none. */
export function readSession(): StoredSession {
  try {
    const stored: unknown = JSON.parse(readStorage('session', KEY) ?? 'null')
    if (isStoredSession(stored)) return { user: stored.user, isAuthenticated: true }
  } catch {
    // Another version may have written it.
  }
  return { user: null, isAuthenticated: false }
}

/** Stores the user and the flag, never the access token. */
export function storeSession({ user, isAuthenticated }: StoredSession): void {
  writeStorage('session', KEY, user && isAuthenticated ? JSON.stringify({ user, isAuthenticated }) : null)
}

function isStoredSession(value: unknown): value is { user: User; isAuthenticated: true } {
  if (typeof value !== 'object' || value === null) return false
  const { user, isAuthenticated } = value as Partial<StoredSession>
  return isAuthenticated === true && typeof user?._id === 'string' && typeof user.name === 'string'
}
