import { t } from '@lingui/core/macro'
import { styled } from 'styled-system/jsx'
import { Flex, Panel } from '../basics'
import { DateTime } from '../format'

const WIDTH = 100
const HEIGHT = 40
const MARGIN = 4

const Chart = styled('svg', {
  base: { w: 'full', h: '48', display: 'block', color: 'fg.muted', fill: 'none', stroke: 'currentColor' },
})

interface Props {
  /** From the oldest. A value holds until the next; null is none. */
  steps: readonly { at: string; value: number | null }[]
  /** The time until which the last value holds. */
  now: number
  /** Says what the picture shows; a table beside it has the same figures. */
  title: string
  format: (value: number) => string
  /** Draws the least value at the top, as the first place of a ranking. */
  leastOnTop?: boolean
}

/** A value over time, as steps. */
export function StepChart({ steps, now, title, format, leastOnTop = false }: Props) {
  const values = steps.flatMap(({ value }) => value ?? [])
  const oldest = steps[0]?.at
  if (!oldest || values.length === 0) return null
  const start = Date.parse(oldest)
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const [top, bottom] = leastOnTop ? [least, most] : [most, least]
  const x = (ms: number) => MARGIN + ((ms - start) / Math.max(now - start, 1)) * (WIDTH - 2 * MARGIN)
  const y = (value: number) => HEIGHT - MARGIN - ((value - bottom) / (top - bottom || 1)) * (HEIGHT - 2 * MARGIN)
  const points = steps.map(({ at, value }) => ({ x: x(Date.parse(at)), y: value === null ? null : y(value) }))
  return (
    <Panel p="4" textStyle="xs" color="fg.muted">
      <span>{format(top)}</span>
      <Chart viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img">
        <title>{title}</title>
        <path d={lineThrough(points, x(now))} strokeWidth="2" vectorEffect="non-scaling-stroke" />
        {/* Points are the round ends of lines without length, because circles would be stretched. */}
        <path
          d={points.map((point) => (point.y === null ? '' : `M${point.x} ${point.y}h0`)).join('')}
          strokeWidth={steps.length > 60 ? 2 : 9}
          strokeLinecap="round"
          vectorEffect="non-scaling-stroke"
        />
      </Chart>
      <span>{format(bottom)}</span>
      <Flex justify="space-between" mt="1">
        <DateTime iso={oldest} />
        <span>{t`Today`}</span>
      </Flex>
    </Panel>
  )
}

/** Returns the path of steps, with a gap where there is no value. */
function lineThrough(points: readonly { x: number; y: number | null }[], end: number): string {
  const parts = points.map(({ x, y }, i) => {
    const before = points[i - 1]?.y ?? null
    if (y === null) return before === null ? '' : `H${x}`
    return before === null ? `M${x} ${y}` : `H${x}V${y}`
  })
  return parts.join('') + (points.at(-1)?.y == null ? '' : `H${end}`)
}
