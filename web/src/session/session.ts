import { createSlice, type PayloadAction } from '@reduxjs/toolkit'
import { readStorage, writeStorage } from '@/ui/storage'

/** The player who is logged in. Name, level and roles are for display; the server decides by the token. */
export interface User {
  _id: string
  name: string
  skinImageUrl: string | null
  skinColor?: string | null
  level?: number
  roles?: string[]
  ban?: Ban | null
}

/** A ban of the player who is logged in: until when, the public reason, and the decision to appeal against. */
export interface Ban {
  until: string | null
  reason: string | null
  decisionId: string | null
}

export interface SessionState {
  /** In memory only: a token in a storage could be read by any script. */
  accessToken: string | null
  user: User | null
}

export const sessionSlice = createSlice({
  name: 'session',
  initialState: (): SessionState => ({ accessToken: null, user: readUser() }),
  reducers: {
    loggedIn: (_, { payload }: PayloadAction<{ accessToken: string; user: User }>): SessionState => payload,
    userChanged(state, { payload }: PayloadAction<Partial<User>>) {
      if (state.user) Object.assign(state.user, payload)
    },
    loggedOut: (): SessionState => ({ accessToken: null, user: null }),
  },
})

export const { loggedIn, loggedOut, userChanged } = sessionSlice.actions

/** The part of a store's state that these selectors need. */
export interface WithSession {
  session: SessionState
}

export const hasSession = (state: unknown): state is WithSession => isObject(state) && 'session' in state

export const selectAccessToken = (state: WithSession) => state.session.accessToken
/** Reports whether there is a session with a token: after a reload the user alone remains until the refresh. */
export const selectIsLoggedIn = (state: WithSession) => state.session.accessToken !== null
/** Returns the player who is logged in, or null. */
export const selectSession = (state: WithSession): User | null => (selectIsLoggedIn(state) ? state.session.user : null)

const KEY = 'auth-storage'

/** Returns the player whose session this tab stored. A malformed value counts as none. */
function readUser(): User | null {
  try {
    const stored: unknown = JSON.parse(readStorage('session', KEY) ?? 'null')
    if (isObject(stored) && stored.isAuthenticated === true && isUser(stored.user)) return stored.user
  } catch {
    // Another version may have written it.
  }
  return null
}

/** Stores the user and a flag, never the access token. */
export function storeSession({ user }: SessionState): void {
  writeStorage('session', KEY, user && JSON.stringify({ user, isAuthenticated: true }))
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Reports whether a value of unknown origin is a player. */
export const isUser = (value: unknown): value is User =>
  isObject(value) && typeof value._id === 'string' && typeof value.name === 'string'

/** The state of a navigation to the login: the page that required it. */
export const returnTo = (path: string) => ({ returnTo: path })

/** Returns the page that required the login, or null. Only a path of this site counts. */
export function returnPathOf(state: unknown): string | null {
  const path = isObject(state) ? state.returnTo : null
  return typeof path === 'string' && /^\/(?!\/)/.test(path) ? path : null
}
