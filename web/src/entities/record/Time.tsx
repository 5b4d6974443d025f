import type { MapRecord } from '@/api'
import { paths } from '@/routes/paths'
import { HStack, styled } from '@/ui'
import { PageLink } from '@/ui/links'
import { type Medal, MedalIcon } from './Medal'
import { formatTime } from './raceTime'

/** A finish time in tabular digits, in milliseconds. */
export function Time({ ms }: { ms: number }) {
  return (
    <styled.span fontWeight="semibold" fontVariantNumeric="tabular-nums" whiteSpace="nowrap" htmlTranslate="no">
      {formatTime(ms)}
    </styled.span>
  )
}

/** A finish time with the medal that it earned. */
export function TimeWithMedal({ ms, medal, size = 5 }: { ms: number; medal: Medal | null; size?: number }) {
  return (
    <HStack gap="1.5" as="span">
      <Time ms={ms} />
      {medal && <MedalIcon medal={medal} size={size} />}
    </HStack>
  )
}

/** The time of a record with its medal, which leads to the record's page. */
export function RecordTime({ record }: { record: Pick<MapRecord, '_id' | 'finishTime' | 'medal'> }) {
  return (
    <PageLink to={paths.record(record._id)} display="flex" w="fit-content" color="inherit">
      <TimeWithMedal ms={record.finishTime} medal={record.medal} />
    </PageLink>
  )
}
