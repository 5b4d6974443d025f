import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { type PlayerPoints, type PointsDay, useGetPlayerPointsHistoryQuery } from '@/api'
import { formatPoints } from '@/entities/points/format'
import { ordinal } from '@/entities/points/texts'
import { Grid, VisuallyHidden } from '@/ui'
import { notAvailable } from '@/ui/format'
import { StepChart } from '@/ui/more/StepChart'
import { InnerPart } from '@/ui/Part'

/** Points and rank day by day and now, as pictures, and as a table for screen readers. Without an answer nothing is shown. */
export function PointsHistory({ playerId, points }: { playerId: string; points: PlayerPoints }) {
  const { currentData } = useGetPlayerPointsHistoryQuery({ id: playerId })
  const days = currentData?.data ?? []
  const first = days[0]
  if (!first) return null
  const steps = [
    ...days.map(({ day, points, rank }) => ({ at: `${day}T12:00:00Z`, points, rank })),
    { at: points.asOf, points: points.total, rank: points.rank },
  ]
  const now = Date.parse(points.asOf)
  const bestRank = Math.min(...steps.flatMap(({ rank }) => rank ?? []))
  const [from, to, best] = [formatPoints(first.points), formatPoints(points.total), ordinal(bestRank)]
  return (
    <Grid columns={{ base: 1, md: 2 }} gap="4">
      <InnerPart title={t`Points by day`}>
        <StepChart
          steps={steps.map(({ at, points }) => ({ at, value: points }))}
          now={now}
          title={t`The points went from ${from} to ${to}.`}
          format={formatPoints}
        />
      </InnerPart>
      <InnerPart title={t`Rank by day`}>
        <StepChart
          steps={steps.map(({ at, rank }) => ({ at, value: rank }))}
          now={now}
          title={t`The best rank was the ${best}.`}
          format={ordinal}
          leastOnTop
        />
      </InnerPart>
      <DaysTable days={days} />
    </Grid>
  )
}

function DaysTable({ days }: { days: PointsDay[] }) {
  return (
    <VisuallyHidden>
      <table aria-label={t`Points and rank by day`}>
        <thead>
          <tr>
            <th>{t`Day`}</th>
            <th>{t`Points`}</th>
            <th>{t`Rank`}</th>
          </tr>
        </thead>
        <tbody>
          {days.map(({ day, points, rank }) => (
            <tr key={day}>
              <td>{dayText(day)}</td>
              <td>{formatPoints(points)}</td>
              <td>{rank === null ? notAvailable() : ordinal(rank)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </VisuallyHidden>
  )
}

/** Formats a day such as 2026-05-11, which is one of UTC. */
const dayText = (day: string): string =>
  i18n.date(`${day}T00:00:00Z`, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
