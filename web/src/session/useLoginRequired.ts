import { useEffect, useState } from 'react'
import { useStore } from 'react-redux'
import { useLocation, useNavigate } from 'react-router'
import { refreshSession, type SessionStore } from '@/api/refresh'
import { paths } from '@/routes/paths'
import { toaster } from '@/ui/toaster'
import { returnTo, selectIsLoggedIn, type WithSession } from './session'

/**
 * Sends visitors to the login with a warning, and reports whether the page may be shown. It checks once, after one
 * refresh, because the player may have logged in in another tab. A form stays when its session ends later.
 */
export function useLoginRequired(warning: string): boolean {
  const store: SessionStore = useStore<WithSession>()
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const [allowed, setAllowed] = useState(() => selectIsLoggedIn(store.getState()))

  useEffect(() => {
    if (allowed) return
    let unmounted = false
    void refreshSession(store).then(() => {
      if (unmounted) return
      if (selectIsLoggedIn(store.getState())) {
        setAllowed(true)
        return
      }
      toaster.warning({ id: warning, title: 'Authentication Required', description: warning })
      navigate(paths.login, { replace: true, state: returnTo(pathname + search) })
    })
    return () => {
      unmounted = true
    }
  }, [allowed, store, navigate, warning, pathname, search])

  return allowed
}
