import { t } from '@lingui/core/macro'
import { useEffect, useState } from 'react'
import { useSelector, useStore } from 'react-redux'
import { useLocation, useNavigate } from 'react-router'
import { type RefreshOutcome, refreshUntilAnswered, type SessionStore } from '@/api/refresh'
import { paths } from '@/routes/paths'
import { toaster } from '@/ui/toaster'
import { returnTo, selectIsLoggedIn, type WithSession } from './session'

/** 'unknown' is a session about which the server could not be asked yet. */
type Access = 'checking' | 'unknown' | 'allowed'

/**
 * Sends visitors to the login with a warning, and reports whether the page may be shown. It checks once, after one
 * refresh that the server has answered, because the player may have logged in in another tab. A form stays when its
 * session ends later.
 */
export function useLoginRequired(warning: string): Access {
  const store: SessionStore = useStore<WithSession>()
  const loggedIn = useSelector(selectIsLoggedIn)
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const [access, setAccess] = useState<Access>(loggedIn ? 'allowed' : 'checking')
  if (loggedIn && access !== 'allowed') setAccess('allowed')
  const allowed = access === 'allowed'

  useEffect(() => {
    if (allowed) return
    const act = (outcome: RefreshOutcome) => {
      if (outcome === 'unreachable') setAccess('unknown')
      if (outcome !== 'refused') return
      toaster.warning({ id: warning, title: t`Authentication Required`, description: warning })
      navigate(paths.login, { replace: true, state: returnTo(pathname + search) })
    }
    return refreshUntilAnswered(store, act, { now: true })
  }, [allowed, store, navigate, warning, pathname, search])

  return access
}
