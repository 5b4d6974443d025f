import { createSlice, type PayloadAction } from '@reduxjs/toolkit'
import { readSession } from './storage'
import type { SessionState, User } from './types'

export const sessionSlice = createSlice({
  name: 'session',
  initialState: (): SessionState => ({ accessToken: null, ...readSession() }),
  reducers: {
    loggedIn(state, { payload }: PayloadAction<{ accessToken: string; user: User }>) {
      state.accessToken = payload.accessToken
      state.user = payload.user
      state.isAuthenticated = true
    },
    refreshed(state, { payload }: PayloadAction<{ accessToken: string; user: User }>) {
      Object.assign(state, payload, { isAuthenticated: true })
    },
    userChanged(state, { payload }: PayloadAction<Partial<User>>) {
      if (state.user) Object.assign(state.user, payload)
    },
    loggedOut: (): SessionState => ({ accessToken: null, user: null, isAuthenticated: false }),
  },
})

export const { loggedIn, loggedOut, refreshed, userChanged } = sessionSlice.actions

/** The part of the store that these selectors need. */
export interface WithSession {
  session: SessionState
}

export const selectUser = (state: WithSession) => state.session.user
export const selectAccessToken = (state: WithSession) => state.session.accessToken
/** Reports whether there is a session with a token: after a reload the flag alone remains until the refresh. */
export const selectIsLoggedIn = (state: WithSession) =>
  state.session.isAuthenticated && state.session.accessToken !== null
/** Returns the player who is logged in, or null. */
export const selectSession = (state: WithSession): User | null => (selectIsLoggedIn(state) ? selectUser(state) : null)
