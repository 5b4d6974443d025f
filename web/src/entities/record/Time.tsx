import { styled } from 'styled-system/jsx'
import { HStack } from '@/ui'
import { type Medal, MedalIcon } from './Medal'
import { formatTime } from './raceTime'

/** A finish time in tabular digits, in milliseconds. */
export function Time({ ms }: { ms: number }) {
  return (
    <styled.span fontWeight="semibold" fontVariantNumeric="tabular-nums" whiteSpace="nowrap">
      {formatTime(ms)}
    </styled.span>
  )
}

/** A finish time with the medal that it earned. */
export function TimeWithMedal({ ms, medal }: { ms: number; medal: Medal | null }) {
  return (
    <HStack gap="1.5" as="span">
      <Time ms={ms} />
      {medal && <MedalIcon medal={medal} size={5} />}
    </HStack>
  )
}
