import { t } from '@lingui/core/macro'
import type { Medal, MedalTimes } from '@/api'
import { MEDALS, medalName } from '../Medal'

/** Returns what is missing to a medal, such as '00:01.20 short of the gold medal'. */
export function missingText(time: string, medal: Medal): string {
  return {
    author: t`${time} short of the author medal`,
    gold: t`${time} short of the gold medal`,
    silver: t`${time} short of the silver medal`,
    bronze: t`${time} short of the bronze medal`,
  }[medal]
}

/** Returns the time of a medal, such as 'Bronze medal at 01:01.90'. */
export function timeOfMedalText(time: string, medal: Medal): string {
  const name = medalName(medal)
  return t`${name} at ${time}`
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

/** Returns the next better medal than this one with its time, or null where the map has none. */
export function nextMedal(medal: Medal | null, times: MedalTimes): { medal: Medal; ms: number } | null {
  const better = medal ? MEDALS.slice(0, MEDALS.indexOf(medal)) : MEDALS
  const next = better.findLast((candidate) => times[candidate] !== null)
  const ms = next && times[next]
  return next && ms ? { medal: next, ms } : null
}
