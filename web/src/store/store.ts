import { configureStore } from '@reduxjs/toolkit'
import { setupListeners } from '@reduxjs/toolkit/query'
import { api, OWN_TAGS } from '@/api'
import { connectionSlice } from '@/api/connection'
import { sessionSlice, storeSession } from '@/session/session'

/** Creates a store, which keeps its session in the tab's storage. */
export function makeStore() {
  const store = configureStore({
    reducer: {
      session: sessionSlice.reducer,
      connection: connectionSlice.reducer,
      [api.reducerPath]: api.reducer,
    },
    middleware: (defaults) =>
      defaults({
        // Mutations hold the files of uploads and drawings. What queries answer is checked in the state.
        serializableCheck: { ignoredPaths: ['api.mutations'], ignoredActionPaths: ['meta.arg', 'payload'] },
      }).concat(api.middleware),
  })
  // Queries that ask for it are fetched again when the tab is focused or the connection is back.
  setupListeners(store.dispatch)
  let stored = store.getState().session
  store.subscribe(() => {
    const { session } = store.getState()
    if (session === stored) return
    const before = stored
    stored = session
    storeSession(session)
    // What the API has told one player about themselves is not shown to the next.
    if (session.user && session.user._id !== before.user?._id) store.dispatch(api.util.invalidateTags([...OWN_TAGS]))
  })
  return store
}

export type AppStore = ReturnType<typeof makeStore>
export type RootState = ReturnType<AppStore['getState']>
export type AppDispatch = AppStore['dispatch']
