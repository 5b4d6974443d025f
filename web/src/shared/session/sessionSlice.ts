import { createSlice, type PayloadAction } from '@reduxjs/toolkit'
import { readSession } from './storage'

// User is who is logged in. Beyond id and name everything is for show; the server decides by the token.
export interface User {
  _id: string
  name: string
  skinImageUrl: string | null
  skinColor?: string | null
  level?: number
  roles?: string[]
}

export interface SessionState {
  // In memory only: a token that no storage holds cannot be read from it.
  accessToken: string | null
  user: User | null
  isAuthenticated: boolean
}

export const sessionSlice = createSlice({
  name: 'session',
  initialState: (): SessionState => ({ accessToken: null, ...readSession() }),
  reducers: {
    loggedIn(state, { payload }: PayloadAction<{ accessToken: string; user: User }>) {
      state.accessToken = payload.accessToken
      state.user = payload.user
      state.isAuthenticated = true
    },
    // A refresh may come without the user; the one known before stays then.
    refreshed(state, { payload }: PayloadAction<{ accessToken: string; user?: User | null }>) {
      state.accessToken = payload.accessToken
      state.user = payload.user ?? state.user
      state.isAuthenticated = state.user !== null
    },
    userChanged(state, { payload }: PayloadAction<Partial<User>>) {
      if (state.user) Object.assign(state.user, payload)
    },
    loggedOut: (): SessionState => ({ accessToken: null, user: null, isAuthenticated: false }),
  },
})

export const { loggedIn, loggedOut, refreshed, userChanged } = sessionSlice.actions

// WithSession is the part of the store that these selectors need.
export interface WithSession {
  session: SessionState
}

export const selectUser = (state: WithSession) => state.session.user
export const selectAccessToken = (state: WithSession) => state.session.accessToken
// Logged in is who has both: the flag alone survives a reload, before the refresh has been tried.
export const selectIsLoggedIn = (state: WithSession) =>
  state.session.isAuthenticated && state.session.accessToken !== null
