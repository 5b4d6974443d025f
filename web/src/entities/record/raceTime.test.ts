import { describe, expect, it } from 'vitest'
import cases from '../../../../game/testdata/cases.json'
import { defaultMedals } from './more/medalTimes'
import { formatTime, parseTime, snapToFrame } from './raceTime'

// The same cases that the Go reader runs.
describe('a time', () => {
  it.each(cases.clock.parse)('$text is read as $ms', ({ text, ms }) => {
    expect(parseTime(text)).toBe(ms)
  })
  it.each(cases.clock.format)('$ms is shown as $text', ({ text, ms }) => {
    expect(formatTime(ms)).toBe(text)
  })
  it.each(cases.clock.snap)('$ms snaps to $snapped', ({ ms, snapped }) => {
    expect(snapToFrame(ms)).toBe(snapped)
  })
})

describe('a medal', () => {
  it.each(cases.medals.defaults)('of an author time of $author', (expected) => {
    expect(defaultMedals(expected.author)).toEqual(expected)
  })
})
