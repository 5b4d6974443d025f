import { chakra } from '@chakra-ui/react'
import { formatTime } from '@/shared/lib/raceTime'

// RaceTime is a finish time, in digits that stand under each other.
export function RaceTime({ ms, ...props }: { ms: number; fontSize?: string }) {
  return (
    <chakra.span
      fontFamily="heading"
      fontWeight="bold"
      fontVariantNumeric="tabular-nums"
      whiteSpace="nowrap"
      {...props}
    >
      {formatTime(ms)}
    </chakra.span>
  )
}
