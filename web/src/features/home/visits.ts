import { readStorage, writeStorage } from '@/ui/storage'

/** Where a player stood at a moment, in milliseconds. */
export interface Seen {
  points: number
  rank: number | null
  at: number
}

/** What a player saw last, and at the end of the visit before. */
interface Visits {
  before: Seen | null
  last: Seen
}

// A player who comes back after this long is on another visit.
const APART_MS = 30 * 60_000

/** Adds what a player sees now to what they saw before. */
export function visitsWith(visits: Visits | null, now: Seen): Visits {
  if (!visits) return { before: null, last: now }
  return { before: now.at - visits.last.at > APART_MS ? visits.last : visits.before, last: now }
}

const key = (playerId: string) => `capzone-visits:${playerId}`

/** Returns where a player stood at the end of the last visit with this browser, or null, and stores where they are now. */
export function noteVisit(playerId: string, now: Seen): Seen | null {
  const visits = visitsWith(read(playerId), now)
  writeStorage('local', key(playerId), JSON.stringify(visits))
  return visits.before
}

function read(playerId: string): Visits | null {
  try {
    const visits = JSON.parse(readStorage('local', key(playerId)) ?? 'null')
    return typeof visits?.last?.at === 'number' ? visits : null
  } catch {
    return null
  }
}
