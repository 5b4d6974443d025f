import { Trans } from '@lingui/react/macro'
import { styled } from 'styled-system/jsx'
import { Box, Flex } from './basics'
import { DateTime } from './format'

const WIDTH = 100
const HEIGHT = 40
const MARGIN = 4

const Chart = styled('svg', {
  base: { w: 'full', h: '48', display: 'block', color: 'brand.solid', fill: 'none', stroke: 'currentColor' },
})

interface Props {
  /** From the oldest; each value is less than the one before. */
  steps: readonly { at: string; value: number }[]
  /** The time until which the last value holds. */
  now: number
  /** Says what the picture shows; a table beside it has the same figures. */
  title: string
  format: (value: number) => string
}

/** A value that only falls, over time, as steps. */
export function StepChart({ steps, now, title, format }: Props) {
  const [first, last] = [steps[0], steps.at(-1)]
  if (!first || !last) return null
  const start = Date.parse(first.at)
  const x = (ms: number) => MARGIN + ((ms - start) / Math.max(now - start, 1)) * (WIDTH - 2 * MARGIN)
  const range = Math.max(first.value - last.value, 1)
  const y = (value: number) => HEIGHT - MARGIN - ((value - last.value) / range) * (HEIGHT - 2 * MARGIN)
  const points = steps.map(({ at, value }) => ({ x: x(Date.parse(at)), y: y(value) }))
  const line = points.map((point, i) => (i === 0 ? `M${point.x} ${point.y}` : `H${point.x}V${point.y}`)).join('')
  return (
    <Box borderWidth="1px" rounded="l3" bg="bg.panel" p="4" textStyle="xs" color="fg.muted">
      <span>{format(first.value)}</span>
      <Chart viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img">
        <title>{title}</title>
        <path d={`${line}H${x(now)}`} strokeWidth="2" vectorEffect="non-scaling-stroke" />
        {/* Points are the round ends of lines without length, because circles would be stretched. */}
        <path
          d={points.map((point) => `M${point.x} ${point.y}h0`).join('')}
          strokeWidth="9"
          strokeLinecap="round"
          vectorEffect="non-scaling-stroke"
        />
      </Chart>
      <span>{format(last.value)}</span>
      <Flex justify="space-between" mt="1">
        <DateTime iso={first.at} />
        <span>
          <Trans>Today</Trans>
        </span>
      </Flex>
    </Box>
  )
}
