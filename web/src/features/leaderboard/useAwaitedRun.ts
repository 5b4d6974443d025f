import { useEffect, useState } from 'react'
import { useDispatch } from 'react-redux'
import { useLocation } from 'react-router'
import { api } from '@/shared/api'
import { isRunExpected } from '@/shared/lib/runExpected'

const ASK_AGAIN_MS = 1000
const PATIENCE_MS = 10_000

// useAwaitedRun tells whether the first run of a map is still on its way: whoever has just submitted the map has handed it
// in with the replay, and it is ranked a moment later. Until then, and not for long, the leaderboard is asked for again.
export function useAwaitedRun(empty: boolean, askAgain: () => unknown): boolean {
  const [expected, setExpected] = useState(isRunExpected(useLocation().state))
  const dispatch = useDispatch()
  const awaited = expected && empty

  useEffect(() => {
    if (!expected) return
    const timer = setTimeout(() => setExpected(false), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [expected])

  useEffect(() => {
    if (!awaited) return
    const timer = setInterval(askAgain, ASK_AGAIN_MS)
    return () => {
      clearInterval(timer)
      // What counts and lists runs elsewhere was asked for before it came.
      dispatch(api.util.invalidateTags(['Record', 'Stats', 'Player']))
    }
  }, [awaited, askAgain, dispatch])

  return awaited
}
