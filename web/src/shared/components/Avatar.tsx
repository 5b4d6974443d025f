import { useState } from 'react'
import styles from './Avatar.module.css'

interface Portrayed {
  name: string
  skinImageUrl?: string | null
  skinColor?: string | null
}

interface Props {
  player: Portrayed
  // In the theme's steps of 4 px.
  size?: number
  // Called where the image cannot be shown.
  onError?: (() => void) | undefined
}

const NEUTRAL = '#5c7a86'

// Avatar shows a player's image, or, where there is none or it does not load, the game's round figure in the skin's base colour. It is decoration: the name
// stands beside it wherever it is shown.
export function Avatar({ player, size = 8, onError }: Props) {
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
        className={styles.avatar}
        style={box}
        loading="lazy"
        onError={() => {
          setFailed(skinImageUrl)
          onError?.()
        }}
      />
    )
  }
  const colour = /^#[0-9a-f]{6}$/i.test(player.skinColor ?? '') ? (player.skinColor as string) : NEUTRAL
  const ink = isLight(colour) ? '#14202a' : '#ffffff'
  return (
    <svg viewBox="0 0 40 40" className={styles.avatar} style={box} aria-hidden="true">
      <circle cx="20" cy="20" r="20" fill={colour} />
      <path d="M3 27a20 20 0 0 0 34 0 24 24 0 0 1-34 0z" fill="#000" opacity=".18" />
      <ellipse cx="13" cy="9" rx="7" ry="4" fill="#fff" opacity=".28" transform="rotate(-28 13 9)" />
      <text x="20" y="21" fill={ink} className={styles.letter} textAnchor="middle" dominantBaseline="central">
        {(Array.from(player.name.trim())[0] ?? '?').toUpperCase()}
      </text>
    </svg>
  )
}

// isLight weighs a colour as eyes do (WCAG's relative luminance), to choose a letter that stands out.
function isLight(colour: string): boolean {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.35
}
