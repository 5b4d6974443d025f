import { MEDAL_NAMES, type Medal } from '@/shared/lib/medals'
import styles from './MedalIcon.module.css'

// MedalIcon is a disc on a ribbon in the medal's colour, with its name for those who don't see it. The author's
// medal has a star, so that colour is not the only difference.
export function MedalIcon({ medal, size = 6 }: { medal: Medal; size?: number }) {
  const look = {
    width: `${size / 4}rem`,
    height: `${size / 4}rem`,
    color: `var(--cz-colors-medal-${medal})`,
  }
  return (
    <svg viewBox="0 0 24 24" className={styles.medal} style={look} role="img">
      <title>{MEDAL_NAMES[medal]}</title>
      <path d="M7 2h4l2 7H9zM17 2h-4l-2 7h4z" fill="currentColor" opacity=".45" />
      <circle cx="12" cy="15" r="7" fill="currentColor" />
      <circle
        cx="12"
        cy="15"
        r="4.9"
        fill="none"
        stroke="var(--cz-colors-bg-panel)"
        strokeWidth="1"
        opacity=".7"
      />
      {medal === 'author' && (
        <path
          d="M12 11.300l1.1 2.3 2.5.3-1.8 1.8.4 2.5-2.2-1.2-2.2 1.2.4-2.5-1.8-1.8 2.5-.3z"
          fill="var(--cz-colors-bg-panel)"
        />
      )}
      {medal !== 'author' && (
        <text
          x="12"
          y="15.2"
          className={styles.rank}
          textAnchor="middle"
          dominantBaseline="central"
          fill="var(--cz-colors-bg-panel)"
        >
          {{ gold: '1', silver: '2', bronze: '3' }[medal]}
        </text>
      )}
    </svg>
  )
}
