import { plural } from '@lingui/core/macro'
import type { WorldRecordStep } from '@/api'
import { formatTime } from '@/entities/record/raceTime'
import { StepChart } from '@/ui/more/StepChart'

/** The world record over time. The table beside it has the same figures. */
export function HistoryChart({ steps, now }: { steps: WorldRecordStep[]; now: number }) {
  const [slowest, fastest] = [formatTime(steps[0]?.finishTime ?? 0), formatTime(steps.at(-1)?.finishTime ?? 0)]
  return (
    <StepChart
      steps={steps.map(({ from, finishTime }) => ({ at: from, value: finishTime }))}
      now={now}
      title={plural(steps.length, {
        one: `The world record went from ${slowest} to ${fastest} in # step.`,
        other: `The world record went from ${slowest} to ${fastest} in # steps.`,
      })}
      format={formatTime}
    />
  )
}
