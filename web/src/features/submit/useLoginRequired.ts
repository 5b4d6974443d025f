import { useEffect, useState } from 'react'
import { useStore } from 'react-redux'
import { useNavigate } from 'react-router'
import { loginPath } from '@/config'
import { refreshSession } from '@/shared/api/refresh'
import { toaster } from '@/shared/components/toaster'
import { selectIsLoggedIn, type WithSession } from '@/shared/session/sessionSlice'

// useLoginRequired sends visitors to the login page with a warning, and tells whether somebody may stay. It looks at them
// when they come, after one refresh: they may have logged in in another tab, or the first refresh may have failed. Whose
// session ends in front of a filled form keeps the form.
export function useLoginRequired(warning: string): boolean {
  const store = useStore<WithSession>()
  const navigate = useNavigate()
  const [welcome, setWelcome] = useState(() => selectIsLoggedIn(store.getState()))

  useEffect(() => {
    if (welcome) return
    let gone = false
    void refreshSession(store).then(() => {
      if (gone) return
      if (selectIsLoggedIn(store.getState())) {
        setWelcome(true)
        return
      }
      const id = `login required: ${warning}`
      if (!toaster.isVisible(id))
        toaster.create({ id, type: 'warning', title: 'Authentication Required', description: warning })
      navigate(loginPath, { replace: true })
    })
    return () => {
      gone = true
    }
  }, [welcome, store, navigate, warning])

  return welcome
}
