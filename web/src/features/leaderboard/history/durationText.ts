import { plural, t } from '@lingui/core/macro'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Returns a duration in its largest whole unit, such as '3 days'. */
export function durationText(ms: number): string {
  const [days, hours, minutes] = [DAY_MS, HOUR_MS, MINUTE_MS].map((unit) => Math.floor(ms / unit)) as [
    number,
    number,
    number,
  ]
  if (days > 0) return plural(days, { one: '# day', other: '# days' })
  if (hours > 0) return plural(hours, { one: '# hour', other: '# hours' })
  if (minutes > 0) return plural(minutes, { one: '# minute', other: '# minutes' })
  return t`less than a minute`
}
