import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { useStore } from 'react-redux'
import { refreshSession } from '@/shared/api/refresh'
import { isServerUp } from '@/shared/api/serverHealth'
import { LoadingScreen } from '@/shared/components/LoadingScreen'
import { ServerAway } from '@/shared/components/ServerAway'
import { selectIsLoggedIn, type WithSession } from '@/shared/session/sessionSlice'

// SessionGate asks once who is here before any page is shown. Who has a token passes; otherwise a refresh is tried.
export function SessionGate({ children }: { children: ReactNode }) {
  const store = useStore<WithSession>()
  const [state, setState] = useState<'checking' | 'away' | 'ready'>('checking')

  const check = useCallback(async () => {
    setState('checking')
    if (!selectIsLoggedIn(store.getState())) {
      const outcome = await refreshSession(store)
      if (outcome === 'unreachable' && !(await isServerUp())) {
        setState('away')
        return
      }
    }
    setState('ready')
  }, [store])

  useEffect(() => {
    void check()
  }, [check])

  if (state === 'checking') return <LoadingScreen text="Loading authentication..." />
  if (state === 'away') return <ServerAway onBack={check} />
  return children
}
