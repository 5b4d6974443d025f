import { t } from '@lingui/core/macro'
import { api, useLogoutMutation } from '@/api'
import { loggedOut } from '@/session/session'
import { useAppDispatch } from '@/store/hooks'
import { toaster } from '@/ui/toaster'

/** Returns a function that ends the session here, also where the server cannot be told. */
export function useLogOut(): () => Promise<void> {
  const [logout] = useLogoutMutation()
  const dispatch = useAppDispatch()
  return async () => {
    const { error } = await logout()
    dispatch(loggedOut())
    dispatch(api.util.invalidateTags(['Player']))
    // The menu is removed with the focus in it.
    document.getElementById('main')?.focus({ preventScroll: true })
    if (!error) {
      toaster.success({ title: t`Successfully logged out!` })
      return
    }
    console.error('The server could not be told about the logout.', error)
    // The cookie remains valid: a reload would log in again.
    toaster.warning({
      title: t`You are logged out here, but the server could not be told.`,
      description: t`Log in and out again to end the session permanently.`,
    })
  }
}
