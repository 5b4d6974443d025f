import { createSlice } from '@reduxjs/toolkit'
import { useCallback, useEffect, useRef } from 'react'

/** Whether the last request reached the server. */
export const connectionSlice = createSlice({
  name: 'connection',
  initialState: { away: false },
  reducers: {
    unanswered(state) {
      state.away = true
    },
    answered(state) {
      state.away = false
    },
  },
})

export const { answered, unanswered } = connectionSlice.actions

export const selectServerAway = (state: { connection: { away: boolean } }) => state.connection.away

const TIMEOUT_MS = 5000

/** Reports whether the gateway answers; the state of its services does not matter. */
export async function isServerUp(): Promise<boolean> {
  try {
    const response = await fetch(new URL('/healthz', location.origin), {
      cache: 'no-store',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    return response.ok
  } catch {
    return false
  }
}

const ASK_AGAIN_MS = 3000

/** Asks an unreachable server until it answers, and calls onBack then. It returns a function that asks at once. */
export function useServerBack(away: boolean, onBack: () => void): () => Promise<void> {
  const back = useRef(onBack)
  useEffect(() => {
    back.current = onBack
  })
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
