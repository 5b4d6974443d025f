import { type Token, token } from 'styled-system/tokens'
import { describe, expect, it } from 'vitest'
import { MEDALS, type Medal } from '@/entities/record/Medal'
import { capzoneTheme } from './theme'

const colours: Record<Medal, (hue: number, saturation: number) => boolean> = {
  author: (hue, saturation) => hue > 90 && hue < 170 && saturation > 0.25,
  gold: (hue, saturation) => hue > 38 && hue < 65 && saturation > 0.5,
  silver: (_, saturation) => saturation < 0.25,
  bronze: (hue, saturation) => hue > 10 && hue < 35 && saturation > 0.5,
}

describe('medals are green, yellow, grey and orange', () => {
  for (const medal of MEDALS) {
    it.each(['_light', '_dark'] as const)(`${medal} in %s`, (mode) => {
      const [hue, saturation] = hueOf(colourOf(capzoneTheme.semanticTokens.colors.medal[medal].value[mode]))
      expect(colours[medal](hue, saturation), `hue ${hue}, saturation ${saturation}`).toBe(true)
    })
  }
})

// colourOf returns the colour that a value of the theme is, or refers to.
function colourOf(value: string): string {
  const name = /^\{(.+)\}$/.exec(value)?.[1]
  return name ? token(name as Token) : value
}

function hueOf(hex: string): [hue: number, saturation: number] {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
  const most = Math.max(r, g, b)
  const range = most - Math.min(r, g, b)
  const sector = most === r ? ((g - b) / range + 6) % 6 : most === g ? (b - r) / range + 2 : (r - g) / range + 4
  return [sector * 60, range / most]
}
