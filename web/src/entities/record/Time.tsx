import type { MapRecord } from '@/api'
import { paths } from '@/routes/paths'
import { Figure, HStack, styled } from '@/ui'
import { PageLink } from '@/ui/links'
import { type Medal, MedalIcon } from './Medal'
import { formatDifference, formatTime } from './raceTime'

// The zeros and the sign before the first figure that counts, such as '+00:0' of '+00:03.30'.
const LEADING = /^[+-]?(?:[0:](?!\.))*/

/** A finish time in milliseconds, or a difference of two, in tabular digits. Zeros before it are faint. */
export function Time({ ms, difference }: { ms: number; difference?: boolean }) {
  const text = difference ? formatDifference(ms) : formatTime(ms)
  const [leading = ''] = LEADING.exec(text) ?? []
  return (
    <Figure htmlTranslate="no">
      {leading && <styled.span color="fg.subtle">{leading}</styled.span>}
      <span>{text.slice(leading.length)}</span>
    </Figure>
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

/** The time of a record, which leads to the record's page. */
export function TimeLink({ id, ms }: { id: string; ms: number }) {
  return (
    <PageLink to={paths.record(id)} color="inherit">
      <Time ms={ms} />
    </PageLink>
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
