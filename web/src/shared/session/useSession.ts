import { useSelector } from 'react-redux'
import { selectIsLoggedIn, selectUser, type User } from './sessionSlice'

// useSession tells who is logged in; null for a visitor.
export function useSession(): User | null {
  const user = useSelector(selectUser)
  const loggedIn = useSelector(selectIsLoggedIn)
  return loggedIn ? user : null
}
