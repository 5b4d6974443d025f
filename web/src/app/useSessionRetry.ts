import { useEffect } from 'react'
import { useSelector, useStore } from 'react-redux'
import { refreshSession } from '@/shared/api/refresh'
import { selectIsLoggedIn, type WithSession } from '@/shared/session/sessionSlice'

const FIRST_MS = 3000
const LONGEST_MS = 60_000

// useSessionRetry brings back, beside the page, a session that could not be asked for: again and again, each time after a
// longer pause, until the server has said yes or no.
export function useSessionRetry(unsure: boolean): void {
  const store = useStore<WithSession>()
  const loggedIn = useSelector(selectIsLoggedIn)

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
