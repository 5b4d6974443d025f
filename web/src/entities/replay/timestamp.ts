// Numbers below are seconds, which reach the year 5138; the others are milliseconds, which begin in 1973.
const FIRST_MILLISECONDS = 100_000_000_000
const LAST_MILLISECONDS = 253_402_300_799_999
const EARLIEST = Date.UTC(2013, 0, 1)
const MAX_AHEAD_MS = 60_000

/** Why a time stamp in a file is not accepted: the server refuses such a file. Empty where there is no fault. */
export type TimestampFault = '' | 'unreadable' | 'too_old' | 'ahead'

/** Returns the time stamp in text, or now for a text that is empty or has a fault. */
export function readTimestamp(text: string | undefined, now: Date): { timestamp: Date; fault: TimestampFault } {
  if (!text) return { timestamp: now, fault: '' }
  const timestamp = parseTimestamp(text)
  if (!timestamp) return { timestamp: now, fault: 'unreadable' }
  if (timestamp.getTime() < EARLIEST) return { timestamp: now, fault: 'too_old' }
  if (timestamp.getTime() > now.getTime() + MAX_AHEAD_MS) return { timestamp: now, fault: 'ahead' }
  return { timestamp, fault: '' }
}

// Parses RFC 3339, or seconds or milliseconds since 1970, in the years 1 to 9999; null for anything else.
function parseTimestamp(text: string): Date | null {
  const number = parseDigits(text, LAST_MILLISECONDS)
  if (number !== null) return new Date(number < FIRST_MILLISECONDS ? number * 1000 : number)
  const [, day, time, fraction = '', zone] =
    /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)$/.exec(text) ?? []
  if (!day || !time || !zone) return null
  // A day that does not exist would become one of the next month.
  const local = new Date(`${day}T${time}.${fraction.padEnd(3, '0').slice(0, 3)}Z`)
  if (Number.isNaN(local.getTime()) || !local.toISOString().startsWith(`${day}T${time}`)) return null
  const when = new Date(local.getTime() - offsetMs(zone))
  const year = when.getUTCFullYear()
  return year >= 1 && year <= 9999 ? when : null
}

function offsetMs(zone: string): number {
  if (zone === 'Z') return 0
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4, 6))
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000
}

/** Parses a whole number without a sign, up to a limit; null for anything else. */
export function parseDigits(text: string, limit: number): number | null {
  if (!/^[0-9]+$/.test(text) || Number(text) > limit) return null
  return Number(text)
}
