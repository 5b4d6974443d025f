import type { Medal, MedalTimes } from '@/api'

export type { Medal } from '@/api'

/** From the best to the least. */
export const MEDALS: readonly Medal[] = ['author', 'gold', 'silver', 'bronze']

export const MEDAL_NAMES: Record<Medal, string> = {
  author: 'Author medal',
  gold: 'Gold medal',
  silver: 'Silver medal',
  bronze: 'Bronze medal',
}

/** Returns the next better medal than this one with its time, or null where the map has none. */
export function nextMedal(medal: Medal | null, times: MedalTimes): { medal: Medal; ms: number } | null {
  const better = medal ? MEDALS.slice(0, MEDALS.indexOf(medal)) : MEDALS
  const next = better.findLast((candidate) => times[candidate] !== null)
  const ms = next && times[next]
  return next && ms ? { medal: next, ms } : null
}

/**
 * Derives medal times from the author's: 1.06, 1.2 and 1.5 times of it, rounded up. It computes in whole numbers,
 * because 1.06 has no exact floating-point value: 50 ms would give 54 instead of 53.
 */
export function defaultMedals(author: number): Record<Medal, number> {
  return {
    author,
    gold: Math.ceil((author * 106) / 100),
    silver: Math.ceil((author * 6) / 5),
    bronze: Math.ceil((author * 3) / 2),
  }
}
