import { describe, expect, it } from 'vitest'
import { jumpsTo, placeOf, positionOf, stopsOf } from './courseStops'

const HOURS_1000 = 3_600_000_000
const none = { author: null, gold: null, silver: null, bronze: null }
const times = { author: 40_000, gold: 44_000, silver: 50_000, bronze: 60_000 }

describe('the stops of a course', () => {
  const text = (medals: Parameters<typeof stopsOf>[0], worldRecord: number | null) =>
    stopsOf(medals, worldRecord)
      .map(({ ms, medal, isWorldRecord }) => `${ms} ${medal ?? '-'}${isWorldRecord ? ' record' : ''}`)
      .join(', ')

  it.each([
    [
      'medals and a faster world record',
      times,
      39_000,
      '60000 bronze, 50000 silver, 44000 gold, 40000 author, 39000 - record',
    ],
    [
      'an author time that nobody has reached',
      times,
      42_000,
      '60000 bronze, 50000 silver, 44000 gold, 42000 - record, 40000 author',
    ],
    ['a world record that ties with a medal', { ...none, gold: 44_000 }, 44_000, '44000 gold record'],
    ['medals with one time', { ...none, gold: 44_000, silver: 44_000 }, null, '44000 gold'],
    ['author time alone', { ...none, author: 40_000 }, null, '40000 author'],
    ['no medals', none, 39_000, '39000 - record'],
    ['nothing', none, null, ''],
    ['1,000 hours', { ...none, author: HOURS_1000 }, HOURS_1000 + 1, '3600000001 - record, 3600000000 author'],
  ])('are those of %s', (_, medals, worldRecord, stops) => {
    expect(text(medals, worldRecord)).toBe(stops)
  })
})

describe('the place of a time', () => {
  it.each([
    ['is between two medals', times, 39_000, 47_000, 2.5],
    ['is at a medal of the same time', times, 39_000, 44_000, 3],
    ['ties with the world record', times, 39_000, 39_000, 5],
    ['is between the author time and the world record', times, 39_000, 39_750, 4.25],
    ['is slower than all medals', times, 39_000, 80_000, 0.75],
    ['is of 1,000 hours', times, 39_000, HOURS_1000, 60_000 / HOURS_1000],
    ['is on a map without medals', none, 30_000, 40_000, 0.75],
    ['has the author time alone beside it', { ...none, author: 40_000 }, null, 50_000, 0.8],
    ['is faster than all stops', { ...none, author: 40_000 }, null, 30_000, 1],
    ['has no stops', none, null, 30_000, 0],
  ])('%s', (_, medals, worldRecord, ms, place) => {
    expect(placeOf(ms, stopsOf(medals, worldRecord))).toBe(place)
  })
})

describe('a place is drawn', () => {
  const shape = { bottom: 100, rise: 40, jump: 10 }
  it.each([
    ['at the start', 0, { x: 0, y: 100 }],
    ['on a stop', 1, { x: 50, y: 80 }],
    ['at the height of a jump', 1.5, { x: 75, y: 60 }],
    ['on the last stop', 2, { x: 100, y: 60 }],
  ])('%s', (_, place, position) => {
    expect(positionOf(place, 2, shape)).toEqual(position)
  })

  it('with the jumps that lead to it', () => {
    expect(jumpsTo(1.5, 2, shape)).toBe('M0 100Q25 70 50 80M50 80Q62.5 65 75 60')
    expect(jumpsTo(0, 2, shape)).toBe('')
  })
})
