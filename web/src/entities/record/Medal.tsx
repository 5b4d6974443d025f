import { t } from '@lingui/core/macro'
import type { Medal } from '@/api'

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
