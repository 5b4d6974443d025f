import { describe, expect, it } from 'vitest'
import { skyOf, tint } from './skyOf'

const INK = { night: '#ffffff', day: '#0e151b' }

const luminance = (hex: string) => {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(a: string, b: string): number {
  const [darker = 0, lighter = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y)
  return (lighter + 0.05) / (darker + 0.05)
}

const skins = [
  '#ff0000',
  '#ffff00',
  '#00ff00',
  '#00ffff',
  '#0000ff',
  '#ff00ff',
  '#000000',
  '#ffffff',
  '#8e24aa',
  '#607d8b',
]

describe('the sky above a player', () => {
  it.each(skins)('can be written on with the ink of day and night, for %s', (skin) => {
    const sky = Object.entries(skyOf(skin, '#ffb300') ?? {})
    expect(sky).toHaveLength(10)
    for (const [name, colour] of sky) {
      expect(colour).toMatch(/^#[0-9a-f]{6}$/)
      if (name.endsWith('glow')) continue // behind the ridge, where nothing is written
      expect(contrast(colour, name.startsWith('--night') ? INK.night : INK.day), name).toBeGreaterThan(7)
    }
  })

  it('has the hue of the skin, and none where the skin has none', () => {
    expect(tint('#808080', 0.5, 0.1)).toBe('#636363')
    expect(tint('#ff0000', 0.62, 0.2)).toMatch(/^#[d-f].[34]/)
    const [r, g, b] = [1, 3, 5].map((at) => Number.parseInt(tint('#8e24aa', 0.38, 0.09).slice(at, at + 2), 16))
    expect(Math.max(r ?? 0, b ?? 0)).toBeGreaterThan(g ?? 0)
  })

  it('is that of the scene without a known colour, except beside another player', () => {
    expect(skyOf(null)).toBeUndefined()
    expect(skyOf(null, null)).toHaveProperty('--day-other')
  })
})
