import { configureStore } from '@reduxjs/toolkit'
import { api } from '@/shared/api'
import { connectionSlice } from '@/shared/api/connection'
import { sessionSlice } from '@/shared/session/sessionSlice'
import { keepSession } from '@/shared/session/storage'

// makeStore returns a store of its own, which keeps the session in the tab's storage.
export function makeStore() {
  const store = configureStore({
    reducer: {
      session: sessionSlice.reducer,
      connection: connectionSlice.reducer,
      [api.reducerPath]: api.reducer,
    },
    middleware: (defaults) =>
      defaults({
        // Files to be sent stand in an endpoint's arguments.
        serializableCheck: {
          ignoredActionPaths: ['meta.arg', 'meta.baseQueryMeta', 'payload'],
          ignoredPaths: ['api.mutations'],
        },
      }).concat(api.middleware),
  })
  let kept = store.getState().session
  store.subscribe(() => {
    const { session } = store.getState()
    if (session !== kept) keepSession(session)
    kept = session
  })
  return store
}

export type AppStore = ReturnType<typeof makeStore>
