import { t } from '@lingui/core/macro'
import { startTransition, useCallback, useEffect, useState } from 'react'
import { isServerUp } from '@/api/connection'
import { type RefreshOutcome, refreshSession, refreshUntilAnswered } from '@/api/refresh'
import { selectIsLoggedIn } from '@/session/session'
import { useAppSelector, useAppStore } from '@/store/hooks'
import type { AppStore } from '@/store/store'
import type { Elements } from '@/ui'
import { LoadingScreen } from '@/ui/messages'
import { ServerAway } from './ServerAway'

interface Props {
  /** A refresh that has been started already. Nothing is shown before it has ended. */
  first?: Promise<RefreshOutcome> | undefined
  children: Elements
}

/**
 * Checks the session before any page is shown: a player with a token passes, otherwise a refresh is tried. Where that
 * fails although the server is up, the page is shown and the refresh is retried beside it.
 */
export function SessionGate({ first, children }: Props) {
  const store = useAppStore()
  const [state, setState] = useState<'checking' | 'away' | 'ready'>('checking')
  const [unsure, setUnsure] = useState(false)
  useSessionRetry(unsure)

  // Rendering the page gives way to the browser every few milliseconds.
  const show = useCallback(
    (checked: Checked) =>
      startTransition(() => {
        setUnsure(checked === 'unsure')
        setState(checked === 'away' ? 'away' : 'ready')
      }),
    [],
  )
  useEffect(() => void check(store, first).then(show), [store, first, show])

  if (state === 'checking') return <LoadingScreen text={t`Loading authentication...`} />
  if (state === 'away')
    return (
      <main>
        <ServerAway
          onBack={() => {
            setState('checking')
            void check(store).then(show)
          }}
        />
      </main>
    )
  return children
}

type Checked = 'away' | 'unsure' | 'ready'

/** Reports whether the server has said who the visitor is. */
async function check(store: AppStore, asked?: Promise<RefreshOutcome>): Promise<Checked> {
  const answered = await asked
  if (selectIsLoggedIn(store.getState())) return 'ready'
  const outcome = answered ?? (await refreshSession(store))
  if (outcome !== 'unreachable') return 'ready'
  return (await isServerUp()) ? 'unsure' : 'away'
}

/** Retries a session that could not be asked for, until the server has answered. */
function useSessionRetry(unsure: boolean): void {
  const store = useAppStore()
  const loggedIn = useAppSelector(selectIsLoggedIn)
  useEffect(() => {
    if (!unsure || loggedIn) return
    return refreshUntilAnswered(store, () => {}, { now: false })
  }, [unsure, loggedIn, store])
}
