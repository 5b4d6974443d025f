import { useDispatch } from 'react-redux'
import { api, useLogoutMutation } from '@/shared/api'
import { toaster } from '@/shared/components/toaster'
import { loggedOut } from '@/shared/session/sessionSlice'

// useLogout ends the session here even if the server cannot be told.
export function useLogout(): () => Promise<void> {
  const [logout] = useLogoutMutation()
  const dispatch = useDispatch()
  return async () => {
    try {
      await logout().unwrap()
    } catch (error) {
      console.error('The server could not be told about the logout.', error)
    }
    dispatch(loggedOut())
    dispatch(api.util.invalidateTags(['Player']))
    toaster.success({ title: 'Successfully logged out!' })
  }
}
