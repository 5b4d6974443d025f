import { t } from '@lingui/core/macro'
import type { Medal, MedalTimes } from '@/api'

const panel = 'var(--chakra-colors-bg-panel)'

/**
 * A disc on a ribbon in the medal's colour, with its name for screen readers. The author's medal has a star and the
 * others a number, so that colour is not the only difference.
 */
export function MedalIcon({ medal, size = 6 }: { medal: Medal; size?: number }) {
  const side = `${size / 4}rem`
  return (
    <svg
      viewBox="0 0 24 24"
      style={{ width: side, height: side, flexShrink: 0, color: `var(--chakra-colors-medal-${medal})` }}
      role="img"
    >
      <title>{medalName(medal)}</title>
      <path d="M7 2h4l2 7H9zM17 2h-4l-2 7h4z" fill="currentColor" opacity=".45" />
      <circle cx="12" cy="15" r="7" fill="currentColor" />
      <circle cx="12" cy="15" r="4.9" stroke={panel} fill="none" opacity="0.7" />
      {medal === 'author' ? (
        <path d="M12 11.3l1.1 2.3 2.5.3-1.8 1.8.4 2.5-2.2-1.2-2.2 1.2.4-2.5-1.8-1.8 2.5-.3z" fill={panel} />
      ) : (
        <text x="12" y="15.2" fontSize="9" fontWeight="800" textAnchor="middle" dominantBaseline="central" fill={panel}>
          {{ gold: '1', silver: '2', bronze: '3' }[medal]}
        </text>
      )}
    </svg>
  )
}

export type { Medal } from '@/api'

/** From the best to the least. */
export const MEDALS: readonly Medal[] = ['author', 'gold', 'silver', 'bronze']

export function medalName(medal: Medal): string {
  return { author: t`Author medal`, gold: t`Gold medal`, silver: t`Silver medal`, bronze: t`Bronze medal` }[medal]
}

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
