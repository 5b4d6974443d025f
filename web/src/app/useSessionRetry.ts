import { useEffect } from 'react'
import { refreshSession } from '@/api/refresh'
import { selectIsLoggedIn } from '@/session/session'
import { useAppSelector, useAppStore } from '@/store/hooks'

const FIRST_MS = 3000
const LONGEST_MS = 60_000

/** Retries a session that could not be asked for, after growing pauses, until the server has answered. */
export function useSessionRetry(unsure: boolean): void {
  const store = useAppStore()
  const loggedIn = useAppSelector(selectIsLoggedIn)

  useEffect(() => {
    if (!unsure || loggedIn) return
    let pause = FIRST_MS
    let timer: ReturnType<typeof setTimeout>
    let over = false
    const retry = async () => {
      clearTimeout(timer)
      if (over || (await refreshSession(store)) !== 'unreachable' || over) return
      pause = Math.min(pause * 2, LONGEST_MS)
      timer = setTimeout(retry, pause)
    }
    timer = setTimeout(retry, pause)
    addEventListener('online', retry)
    return () => {
      over = true
      clearTimeout(timer)
      removeEventListener('online', retry)
    }
  }, [unsure, loggedIn, store])
}
