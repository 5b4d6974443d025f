import { useDispatch } from 'react-redux'
import { api, useLogoutMutation } from '@/shared/api'
import { toaster } from '@/shared/components/toaster'
import { loggedOut } from '@/shared/session/sessionSlice'

// useLogout ends the session here even if the server cannot be told.
export function useLogout(): () => Promise<void> {
  const [logout] = useLogoutMutation()
  const dispatch = useDispatch()
  return async () => {
    const { error } = await logout()
    dispatch(loggedOut())
    dispatch(api.util.invalidateTags(['Player']))
    if (!error) {
      toaster.success({ title: 'Successfully logged out!' })
      return
    }
    console.error('The server could not be told about the logout.', error)
    // The cookie is still good: whoever loads the page again is logged in again.
    toaster.create({
      type: 'warning',
      title: 'You are logged out here, but the server could not be told.',
      description: 'Log in and out again to end the session for good.',
    })
  }
}
