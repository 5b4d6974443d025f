import { describe, expect, it } from 'vitest'
import { GAME_MODES } from '@/entities/map/modes'
import { capzoneTheme, MODE_TOKENS } from './theme'

const AA = 4.5

describe('the hue of a mode', () => {
  it('is there for each mode of the game', () => {
    expect(Object.keys(MODE_TOKENS).toSorted()).toEqual([...GAME_MODES].toSorted())
  })

  for (const name of Object.values(MODE_TOKENS)) {
    it.each(['_light', '_dark'] as const)(`of ${name} has the contrast of WCAG AA in %s`, (mode) => {
      const { fg, subtle } = capzoneTheme.semanticTokens.colors.mode[name]
      expect(contrast(fg.value[mode], subtle.value[mode])).toBeGreaterThanOrEqual(AA)
    })
  }
})

function contrast(a: string, b: string): number {
  const [lighter, darker] = [luminance(a), luminance(b)].toSorted((x, y) => y - x) as [number, number]
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
