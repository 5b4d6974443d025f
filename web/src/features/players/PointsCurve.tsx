import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type PointsDay, useGetPlayerPointsHistoryQuery } from '@/api'
import { formatPoints } from '@/entities/points/format'
import { Box, css, Text } from '@/ui'

const DAYS = 30
const [WIDTH, HEIGHT, MARGIN] = [240, 48, 4]

const line = css({ fill: 'none', stroke: 'currentColor', strokeWidth: '2.5px', strokeLinejoin: 'round' })

/** The points of the last 30 days as a line, and a base line where there are none. Nothing is shown until they are known. */
export default function PointsCurve({ playerId }: { playerId: string }) {
  const { currentData, error } = useGetPlayerPointsHistoryQuery({ id: playerId })
  if (!currentData && !error) return null
  const days = currentData?.data.slice(-DAYS) ?? []
  const [first, last] = [days[0], days.at(-1)]
  return (
    <>
      {first && last && first !== last ? (
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width="100%" height={HEIGHT} role="img">
          <title>{t`Points in the last 30 days: from ${formatPoints(first.points)} to ${formatPoints(last.points)}`}</title>
          <path className={line} d={curveOf(days)} />
        </svg>
      ) : (
        <Box h="12" borderBottomWidth="2px" borderStyle="dashed" />
      )}
      <Text textStyle="xs" color="fg.muted" textAlign="end">
        <Trans>Points over 30 days</Trans>
      </Text>
    </>
  )
}

/** Returns the path through the points of days, from the first day on the left to the last one on the right. */
function curveOf(days: readonly Pick<PointsDay, 'points'>[]): string {
  const values = days.map(({ points }) => points)
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const at = values.map((value, i) => [
    MARGIN + (i / Math.max(values.length - 1, 1)) * (WIDTH - 2 * MARGIN),
    HEIGHT - MARGIN - ((value - least) / (most - least || 1)) * (HEIGHT - 2 * MARGIN),
  ])
  return at.map(([x = 0, y = 0], i) => `${i === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('')
}
