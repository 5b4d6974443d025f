import type { CSSProperties } from 'react'

// How light the parts of the sky are, so that texts can be read on every hue, and how colourful at most, in OKLCH.
const NIGHT = { top: [0.24, 0.07], bottom: [0.38, 0.09], far: [0.31, 0.07], glow: [0.66, 0.13] } as const
const DAY = { top: [0.82, 0.09], bottom: [0.93, 0.05], far: [0.74, 0.08], glow: [0.95, 0.06] } as const

// What a skin without a known colour has.
const NEUTRAL = '#607d8b'

/** Returns the colours of the sky above a player, by day and by night; with another player, the two halves of it. */
export function skyOf(skin: string | null, other?: string | null): CSSProperties | undefined {
  if (!skin && other === undefined) return undefined
  const sky: Record<string, string> = {}
  for (const [mode, parts] of Object.entries({ night: NIGHT, day: DAY })) {
    for (const [part, [lightness, chroma]] of Object.entries(parts)) {
      // One ridge is below both halves.
      sky[`--${mode}-${part}`] = tint(part === 'far' && other !== undefined ? null : skin, lightness, chroma)
    }
    if (other !== undefined) sky[`--${mode}-other`] = tint(other, parts.bottom[0], parts.bottom[1])
  }
  return sky
}

/** Returns the colour of the skin's hue that is this light, and at most this colourful, as the screen can show it. */
export function tint(skin: string | null, lightness: number, maxChroma: number): string {
  const [a, b] = oklabOf(skin ?? NEUTRAL)
  const chroma = Math.hypot(a, b)
  for (let c = Math.min(chroma, maxChroma); ; c -= 0.005) {
    const rgb = linearOf(
      lightness,
      chroma ? (a / chroma) * Math.max(c, 0) : 0,
      chroma ? (b / chroma) * Math.max(c, 0) : 0,
    )
    if (c <= 0 || rgb.every((value) => value >= 0 && value <= 1)) return `#${rgb.map(hexOf).join('')}`
  }
}

/** Returns a and b of a colour such as #8e24aa in OKLab. */
function oklabOf(hex: string): [number, number] {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const c = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4
  })
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  return [1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s, 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s]
}

/** Returns red, green and blue of a colour in OKLab, as light. */
function linearOf(lightness: number, a: number, b: number): number[] {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}

function hexOf(light: number): string {
  const c = light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055
  return Math.round(c * 255)
    .toString(16)
    .padStart(2, '0')
}
