import { styled } from 'styled-system/jsx'
import { formatTime } from './raceTime'

/** A finish time in tabular digits, in milliseconds. */
export function Time({ ms }: { ms: number }) {
  return (
    <styled.span fontWeight="semibold" fontVariantNumeric="tabular-nums" whiteSpace="nowrap">
      {formatTime(ms)}
    </styled.span>
  )
}
