import { describe, expect, it } from 'vitest'
import cases from '../../../platform/readable/testdata/lengths.json'
import { cut, lengthOf } from './characters'

describe('lengthOf', () => {
  // The cases of the server's counter (platform/readable).
  it.each(cases)('counts $length characters in "$text"', ({ text, length }) => {
    expect(lengthOf(text)).toBe(length)
  })
})

describe('cut', () => {
  it('counts an emoji once, and leaves it whole', () => {
    expect(cut('🏃🏃🏃', 2)).toBe('🏃🏃')
    expect(cut('🏃🏃', 2)).toBe('🏃🏃')
  })
})
