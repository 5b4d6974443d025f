import { t } from '@lingui/core/macro'
import { useEffect, useState } from 'react'
import { api, useGetPlayerPointsQuery } from '@/api'
import { formatPointsChange } from '@/entities/points/format'
import { ordinal, placesText } from '@/entities/points/texts'
import type { SubmissionResult } from '@/entities/record/submission'
import { useAppDispatch } from '@/store/hooks'
import { Text } from '@/ui'

const POLL_MS = 2000
const TIMEOUT_MS = 60_000

/**
 * The points that a record has brought, and the places. They are computed a moment after the submission: until the player's
 * points are of a later time, and for a minute at most, they are asked for again. Nothing is shown otherwise.
 */
export function PointsGain({ result: { record, pointsBefore } }: { result: SubmissionResult }) {
  const dispatch = useAppDispatch()
  const [waiting, setWaiting] = useState(pointsBefore !== null)
  const { data } = useGetPlayerPointsQuery(
    { id: record.player, limit: 1 },
    {
      skip: pointsBefore === null,
      pollingInterval: waiting ? POLL_MS : 0,
      skipPollingIfUnfocused: true,
      refetchOnMountOrArgChange: true,
    },
  )
  const points = data?.data
  const isComputed = points !== undefined && Date.parse(points.asOf) > Date.parse(record.createdAt)

  if (waiting && isComputed) setWaiting(false)
  useEffect(() => {
    if (!waiting) return
    const timeout = setTimeout(() => setWaiting(false), TIMEOUT_MS)
    return () => clearTimeout(timeout)
  }, [waiting])

  useEffect(() => {
    if (!isComputed) return
    // The leaderboard was fetched before the points were computed.
    dispatch(api.util.invalidateTags([{ type: 'Leaderboard', id: record.map }]))
  }, [isComputed, dispatch, record.map])

  if (!pointsBefore || !isComputed) return <p aria-live="polite" />
  const gain = points.total - pointsBefore.total
  return (
    <p aria-live="polite">
      {gain >= 0.05 && (
        <Text as="span" fontWeight="semibold">
          {gainText(formatPointsChange(gain), movedText(pointsBefore.rank, points.rank))}
        </Text>
      )}
    </p>
  )
}

const gainText = (points: string, places: string): string =>
  places ? t`${points} points, ${places}` : t`${points} points`

/** Says how the rank has changed; '' where it has not. */
function movedText(from: number | null, to: number | null): string {
  if (to === null) return ''
  return from === null ? ordinal(to) : placesText(from, to)
}
