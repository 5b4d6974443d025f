import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { refreshSession } from '@/api/refresh'
import { paths } from '@/routes/paths'
import { returnPathOf } from '@/session/returnPath'
import { selectIsLoggedIn } from '@/session/session'
import { useAppStore } from '@/store/hooks'
import { toaster } from '@/ui/toaster'

const REDIRECT_AFTER_MS = 2000

/**
 * Confirms a login and leads to the page that required it, or home. A login that another tab has finished brings its
 * session by the cookie.
 */
export function useRedirectAfterLogin(succeeded: boolean): void {
  const navigate = useNavigate()
  const { state } = useLocation()
  const store = useAppStore()
  const target = returnPathOf(state) ?? paths.home
  useEffect(() => {
    if (!succeeded) return
    // A toast renders synchronously, which it may not while this effect runs.
    queueMicrotask(() => toaster.success({ id: 'logged in', title: 'Successfully logged in!' }))
    const timer = setTimeout(async () => {
      if (!selectIsLoggedIn(store.getState())) await refreshSession(store)
      navigate(target, { replace: true })
    }, REDIRECT_AFTER_MS)
    return () => clearTimeout(timer)
  }, [succeeded, navigate, store, target])
}
