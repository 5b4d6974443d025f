import { countText } from '@/ui/format'

const MINUTE_MS = 60_000
const UNITS = [
  { noun: 'day', ms: 24 * 60 * MINUTE_MS },
  { noun: 'hour', ms: 60 * MINUTE_MS },
  { noun: 'minute', ms: MINUTE_MS },
]

/** Returns a duration in its largest whole unit, such as '3 days'. */
export function durationText(ms: number): string {
  const unit = UNITS.find((unit) => ms >= unit.ms)
  return unit ? countText(Math.floor(ms / unit.ms), unit.noun) : 'less than a minute'
}
