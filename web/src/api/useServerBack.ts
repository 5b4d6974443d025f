import { useCallback, useEffect, useRef } from 'react'
import { isServerUp } from './serverHealth'

const ASK_AGAIN_MS = 3000

/** Asks an unreachable server until it answers, and calls onBack then. It returns a function that asks at once. */
export function useServerBack(away: boolean, onBack: () => void): () => Promise<void> {
  const back = useRef(onBack)
  back.current = onBack
  const asking = useRef(false)

  const ask = useCallback(async () => {
    if (asking.current) return
    asking.current = true
    const up = await isServerUp()
    asking.current = false
    if (up) back.current()
  }, [])

  useEffect(() => {
    if (!away) return
    const timer = setInterval(ask, ASK_AGAIN_MS)
    addEventListener('online', ask)
    return () => {
      clearInterval(timer)
      removeEventListener('online', ask)
    }
  }, [away, ask])

  return ask
}
