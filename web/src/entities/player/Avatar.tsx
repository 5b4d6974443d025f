import { useState } from 'react'
import { css } from '@/ui'

interface Props {
  player: { name: string; skinImageUrl?: string | null; skinColor?: string | null }
  /** In the theme's steps of 4 px. */
  size?: number
}

const NEUTRAL = '#5c7a86'
const round = css({ flexShrink: 0, rounded: 'full', objectFit: 'cover', bg: 'bg.muted' })

/**
 * A player's image, or a ball in the base colour of their skin where there is none or it does not load. It is
 * decoration: the name is always beside it.
 */
export function Avatar({ player, size = 8 }: Props) {
  const box = { width: `${size / 4}rem`, height: `${size / 4}rem` }
  const [failed, setFailed] = useState<string | null>(null)
  const { skinImageUrl } = player
  if (skinImageUrl && skinImageUrl !== failed) {
    return (
      <img
        src={skinImageUrl}
        alt=""
        width={size * 4}
        height={size * 4}
        className={round}
        style={box}
        loading="lazy"
        onError={() => setFailed(skinImageUrl)}
      />
    )
  }
  const color = player.skinColor && /^#[0-9a-f]{6}$/i.test(player.skinColor) ? player.skinColor : NEUTRAL
  return (
    <svg viewBox="0 0 40 40" className={round} style={box} aria-hidden="true">
      <circle cx="20" cy="20" r="20" fill={color} />
      <path d="M3 27a20 20 0 0 0 34 0 24 24 0 0 1-34 0z" fill="#000" opacity=".18" />
      <ellipse cx="13" cy="9" rx="7" ry="4" fill="#fff" opacity=".28" transform="rotate(-28 13 9)" />
      <text
        x="20"
        y="21"
        fill={isLight(color) ? '#14202a' : '#ffffff'}
        fontSize="19"
        fontWeight="700"
        textAnchor="middle"
        dominantBaseline="central"
      >
        {(Array.from(player.name.trim())[0] ?? '?').toUpperCase()}
      </text>
    </svg>
  )
}

// Reports whether a dark letter has the better contrast, by WCAG's relative luminance.
function isLight(color: string): boolean {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.35
}
