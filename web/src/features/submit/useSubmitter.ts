import { useStore } from 'react-redux'
import { refreshSession } from '@/shared/api/refresh'
import { selectIsLoggedIn, selectUser, type User, type WithSession } from '@/shared/session/sessionSlice'

// useSubmitter returns a function that tells who submits. A session that ended here, but not in another tab, is brought
// back first.
export function useSubmitter(): () => Promise<User | null> {
  const store = useStore<WithSession>()
  return async () => {
    if (!selectIsLoggedIn(store.getState())) await refreshSession(store)
    return selectIsLoggedIn(store.getState()) ? selectUser(store.getState()) : null
  }
}
