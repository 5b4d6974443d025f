import { t } from '@lingui/core/macro'
import { useMatches, useNavigate } from 'react-router'
import { api, useLogoutMutation } from '@/api'
import { paths } from '@/routes/paths'
import { loggedOut } from '@/session/session'
import { useAppDispatch } from '@/store/hooks'
import { focusPage } from '@/ui/keptFocus'
import { toaster } from '@/ui/toaster'

/**
 * Returns a function that ends the session here, also where the server cannot be told. It leads home from a page that
 * needs a login, which would show what is the player's own.
 */
export function useLogOut(): () => Promise<void> {
  const [logout] = useLogoutMutation()
  const dispatch = useAppDispatch()
  const navigate = useNavigate()
  // A route has its page of routes/pages.ts as its handle.
  const guarded = useMatches().some(({ handle }) => (handle as { guard?: object } | undefined)?.guard)
  return async () => {
    if (guarded) navigate(paths.home, { replace: true })
    const { error } = await logout()
    dispatch(loggedOut())
    dispatch(api.util.invalidateTags(['Player']))
    // The menu is removed with the focus in it.
    focusPage()
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
