import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { api } from '@/api'
import { isRecordExpected } from '@/entities/record/submission'
import { useAppDispatch } from '@/store/hooks'

const REFETCH_MS = 1000
const TIMEOUT_MS = 10_000

/**
 * Reports whether the first record of a map is expected: it was in the replay of the map that was just submitted, and
 * is ranked a moment later. Until then, and for ten seconds at most, the leaderboard is refetched.
 */
export function useAwaitedRecord(mapId: string, empty: boolean, refetch: () => unknown): boolean {
  const [expected, setExpected] = useState(isRecordExpected(useLocation().state))
  const dispatch = useAppDispatch()
  const awaited = expected && empty

  useEffect(() => {
    if (!awaited) return
    const polling = setInterval(refetch, REFETCH_MS)
    const timeout = setTimeout(() => setExpected(false), TIMEOUT_MS)
    return () => {
      clearInterval(polling)
      clearTimeout(timeout)
      // Other lists and totals were fetched before the record was ranked.
      dispatch(api.util.invalidateTags([{ type: 'Leaderboard', id: mapId }, 'Record', 'Stats', 'Player']))
    }
  }, [awaited, refetch, dispatch, mapId])

  return awaited
}
