import { t } from '@lingui/core/macro'
import { startTransition, useEffect, useState } from 'react'
import { isServerUp } from '@/api/connection'
import { type RefreshOutcome, refreshSession, refreshUntilAnswered } from '@/api/refresh'
import { selectIsLoggedIn } from '@/session/session'
import { useAppSelector, useAppStore } from '@/store/hooks'
import type { AppStore } from '@/store/store'
import type { Elements } from '@/ui'
import { LoadingScreen } from '@/ui/messages'
import { ServerAway } from './ServerAway'

interface Props {
  /** What the check before the first rendering has found. */
  first: Checked
  children: Elements
}

/**
 * Shows the site once the session has been checked. Where the server is away it waits, and where only the session could
 * not be asked for, the site is shown and the refresh is retried beside it.
 */
export function SessionGate({ first, children }: Props) {
  const store = useAppStore()
  const [state, setState] = useState<Checked | 'checking'>(first)
  useSessionRetry(state === 'unsure')

  if (state === 'checking') return <LoadingScreen text={t`Loading authentication...`} />
  if (state === 'away')
    return (
      <main>
        <ServerAway
          onBack={() => {
            setState('checking')
            // Rendering the page gives way to the browser every few milliseconds.
            void checkSession(store).then((checked) => startTransition(() => setState(checked)))
          }}
        />
      </main>
    )
  return children
}

type Checked = 'away' | 'unsure' | 'ready'

/**
 * Reports whether the server has said who the visitor is: a player with a token passes, otherwise a refresh is tried,
 * unless it has been asked for already.
 */
export async function checkSession(store: AppStore, asked?: Promise<RefreshOutcome>): Promise<Checked> {
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
