import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { loginPath } from '@/config'
import { toaster } from '@/shared/components/toaster'
import { useSession } from '@/shared/session/useSession'

// useLoginRequired sends visitors to the login page with a warning. It looks at them when they come: whose session ends
// in front of a filled form keeps the form.
export function useLoginRequired(warning: string): boolean {
  const user = useSession()
  const came = useRef(user !== null)
  const navigate = useNavigate()
  useEffect(() => {
    if (came.current) return
    const id = `login required: ${warning}`
    // A toast draws itself at once, which it may not while this effect runs.
    queueMicrotask(() => {
      if (toaster.isVisible(id)) return
      toaster.create({ id, type: 'warning', title: 'Authentication Required', description: warning })
    })
    navigate(loginPath, { replace: true })
  }, [navigate, warning])
  return came.current
}
