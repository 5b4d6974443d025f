import LZString from 'lz-string'
import { describe, expect, it } from 'vitest'
import { measure, UNPACKED_LIMIT } from './unpack'

const pack = LZString.compressToEncodedURIComponent

describe('measuring a packed string', () => {
  it.each([
    ['nothing', ''],
    ['one letter', 'a'],
    ['repetitions', 'abcabcabcabc'.repeat(50)],
    ['one letter, often', 'a'.repeat(5000)],
    ['letters of the world', 'łódź 日本 '.repeat(20)],
    ['many phrases', Array.from({ length: 3000 }, (_, i) => i.toString(36)).join()],
  ])('finds the length of %s', (_, text) => {
    expect(measure(pack(text), UNPACKED_LIMIT)).toBe(text.length)
  })

  it('stops at its limit', () => {
    expect(measure(pack('a'.repeat(1000)), 1000)).toBe(1000)
    expect(() => measure(pack('a'.repeat(1001)), 1000)).toThrow('unfolds into more than 1000')
  })
})
