import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { useStore } from 'react-redux'
import { type RefreshOutcome, refreshSession } from '@/shared/api/refresh'
import { isServerUp } from '@/shared/api/serverHealth'
import { LoadingScreen } from '@/shared/components/LoadingScreen'
import { ServerAway } from '@/shared/components/ServerAway'
import { selectIsLoggedIn, type WithSession } from '@/shared/session/sessionSlice'
import { useSessionRetry } from './useSessionRetry'

interface Props {
  // A refresh that was asked for before there was a gate.
  first?: Promise<RefreshOutcome> | undefined
  children: ReactNode
}

// SessionGate finds out who is here before any page is shown. Who has a token passes; otherwise a refresh is tried. Where
// that fails although the server is there, the page is shown, and the refresh goes on beside it.
export function SessionGate({ first, children }: Props) {
  const store = useStore<WithSession>()
  const [state, setState] = useState<'checking' | 'away' | 'ready'>('checking')
  const [unsure, setUnsure] = useState(false)
  useSessionRetry(unsure)

  const check = useCallback(
    async (asked?: Promise<RefreshOutcome>) => {
      setState('checking')
      if (!selectIsLoggedIn(store.getState())) {
        const outcome = await (asked ?? refreshSession(store))
        if (outcome === 'unreachable' && !(await isServerUp())) {
          setState('away')
          return
        }
        setUnsure(outcome === 'unreachable')
      }
      setState('ready')
    },
    [store],
  )

  useEffect(() => {
    void check(first)
  }, [check, first])

  if (state === 'checking') return <LoadingScreen text="Loading authentication..." />
  if (state === 'away')
    return (
      <main>
        <ServerAway onBack={() => void check()} />
      </main>
    )
  return children
}
