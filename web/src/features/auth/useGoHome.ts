import { useEffect } from 'react'
import { useStore } from 'react-redux'
import { useNavigate } from 'react-router'
import { refreshSession } from '@/shared/api/refresh'
import { toaster } from '@/shared/components/toaster'
import { selectIsLoggedIn, type WithSession } from '@/shared/session/sessionSlice'

const REDIRECT_AFTER_MS = 2000

// useGoHome greets whoever has logged in, and leads to the site. A login that another tab of this browser has finished
// brings its session by the cookie.
export function useGoHome(succeeded: boolean): void {
  const navigate = useNavigate()
  const store = useStore<WithSession>()
  useEffect(() => {
    if (!succeeded) return
    // A toast draws itself at once, which it may not while this effect runs.
    queueMicrotask(() => toaster.success({ id: 'logged in', title: 'Successfully logged in!' }))
    const timer = setTimeout(async () => {
      if (!selectIsLoggedIn(store.getState())) await refreshSession(store)
      navigate('/')
    }, REDIRECT_AFTER_MS)
    return () => clearTimeout(timer)
  }, [succeeded, navigate, store])
}
