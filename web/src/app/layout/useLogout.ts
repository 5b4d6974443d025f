import { api, useLogoutMutation } from '@/api'
import { loggedOut } from '@/session/session'
import { useAppDispatch } from '@/store/hooks'
import { toaster } from '@/ui/toaster'

/** Returns a function that ends the session here, also where the server cannot be told. */
export function useLogout(): () => Promise<void> {
  const [logout] = useLogoutMutation()
  const dispatch = useAppDispatch()
  return async () => {
    const { error } = await logout()
    dispatch(loggedOut())
    dispatch(api.util.invalidateTags(['Player']))
    if (!error) {
      toaster.success({ title: 'Successfully logged out!' })
      return
    }
    console.error('The server could not be told about the logout.', error)
    // The cookie remains valid: a reload would log in again.
    toaster.warning({
      title: 'You are logged out here, but the server could not be told.',
      description: 'Log in and out again to end the session permanently.',
    })
  }
}
