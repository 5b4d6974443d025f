import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { useStore } from 'react-redux'
import { type RefreshOutcome, refreshSession } from '@/shared/api/refresh'
import { isServerUp } from '@/shared/api/serverHealth'
import { LoadingScreen } from '@/shared/components/LoadingScreen'
import { ServerAway } from '@/shared/components/ServerAway'
import { selectIsLoggedIn, type WithSession } from '@/shared/session/sessionSlice'

interface Props {
  // A refresh that was asked for before there was a gate.
  first?: Promise<RefreshOutcome> | undefined
  children: ReactNode
}

// SessionGate finds out who is here before any page is shown. Who has a token passes; otherwise a refresh is tried.
export function SessionGate({ first, children }: Props) {
  const store = useStore<WithSession>()
  const [state, setState] = useState<'checking' | 'away' | 'ready'>('checking')

  const check = useCallback(
    async (asked?: Promise<RefreshOutcome>) => {
      setState('checking')
      if (!selectIsLoggedIn(store.getState())) {
        const outcome = await (asked ?? refreshSession(store))
        if (outcome === 'unreachable' && !(await isServerUp())) {
          setState('away')
          return
        }
      }
      setState('ready')
    },
    [store],
  )

  useEffect(() => {
    void check(first)
  }, [check, first])

  if (state === 'checking') return <LoadingScreen text="Loading authentication..." />
  if (state === 'away') return <ServerAway onBack={() => void check()} />
  return children
}
