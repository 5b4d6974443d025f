import { describe, expect, it } from 'vitest'
import { isolated } from './format'

describe('isolated', () => {
  it.each([
    ['Skyline Run 2', 'Skyline Run 2'],
    ['极限跑酷', '极限跑酷'],
    ['סקיי 7', '\u2068סקיי 7\u2069'],
    ['سباق 7', '\u2068سباق 7\u2069'],
    ['𞤀𞤣 7', '\u2068𞤀𞤣 7\u2069'],
  ])('of %j is %j', (name, sentence) => {
    expect(isolated(name)).toBe(sentence)
  })
})
