import { plural } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { WorldRecordStep } from '@/api'
import { formatTime } from '@/entities/record/raceTime'
import { Box, Flex, styled } from '@/ui'
import { DateTime } from '@/ui/format'

const WIDTH = 100
const HEIGHT = 40
const MARGIN = 4

const Chart = styled('svg', {
  base: { w: 'full', h: '48', display: 'block', color: 'brand.solid', fill: 'none', stroke: 'currentColor' },
})

/** The world record over time, as steps. The table beside it has the same figures. */
export function HistoryChart({ steps, now }: { steps: WorldRecordStep[]; now: number }) {
  const [first, last] = [steps[0], steps.at(-1)]
  if (!first || !last) return null
  const start = Date.parse(first.from)
  const x = (ms: number) => MARGIN + ((ms - start) / Math.max(now - start, 1)) * (WIDTH - 2 * MARGIN)
  // World records only get faster: the first is the slowest.
  const range = Math.max(first.finishTime - last.finishTime, 1)
  const y = (ms: number) => HEIGHT - MARGIN - ((ms - last.finishTime) / range) * (HEIGHT - 2 * MARGIN)
  const points = steps.map(({ from, finishTime }) => ({ x: x(Date.parse(from)), y: y(finishTime) }))
  const line = points.map((point, i) => (i === 0 ? `M${point.x} ${point.y}` : `H${point.x}V${point.y}`)).join('')
  const [slowest, fastest] = [formatTime(first.finishTime), formatTime(last.finishTime)]
  return (
    <Box borderWidth="1px" rounded="l3" bg="bg.panel" p="4" textStyle="xs" color="fg.muted">
      <span>{slowest}</span>
      <Chart viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img">
        <title>
          {plural(steps.length, {
            one: `The world record went from ${slowest} to ${fastest} in # step.`,
            other: `The world record went from ${slowest} to ${fastest} in # steps.`,
          })}
        </title>
        <path d={`${line}H${x(now)}`} strokeWidth="2" vectorEffect="non-scaling-stroke" />
        {/* Points are the round ends of lines without length, because circles would be stretched. */}
        <path
          d={points.map((point) => `M${point.x} ${point.y}h0`).join('')}
          strokeWidth="9"
          strokeLinecap="round"
          vectorEffect="non-scaling-stroke"
        />
      </Chart>
      <span>{fastest}</span>
      <Flex justify="space-between" mt="1">
        <DateTime iso={first.from} />
        <span>
          <Trans>Today</Trans>
        </span>
      </Flex>
    </Box>
  )
}
