import { describe, expect, it } from 'vitest'
import { pointsOf, totalOf, weightOf } from './formula'

const alone = (opponents: number, place: number) => ({ opponents, beaten: opponents + 1 - place, place })

describe('the points on a map', () => {
  it.each([
    [1, 18, 462, 120, 600],
    [2, 18, 446.6, 69.6, 534.2],
    [3, 18, 431.2, 50.4, 499.6],
    [8, 18, 354.2, 0, 372.2],
    [16, 18, 231, 0, 249],
    [31, 18, 0, 0, 18],
  ])('of place %i of 31 are %d + %d + %d = %d', (place, finish, beatenPoints, placeBonus, points) => {
    expect(pointsOf(alone(30, place))).toEqual({ finish, beatenPoints, placeBonus, points })
  })

  it('are those of half a defeat for a tie with the player behind', () => {
    expect(pointsOf({ opponents: 30, beaten: 22.5, place: 8 }).points).toBe(364.5)
  })

  it('are the sum of the terms as they are shown, on every leaderboard', () => {
    for (let opponents = 4; opponents <= 200; opponents++) {
      for (let place = 1; place <= opponents + 1; place++) {
        const { finish, beatenPoints, placeBonus, points } = pointsOf(alone(opponents, place))
        const tenths = [finish, beatenPoints, placeBonus].map((term) => Math.round(term * 10))
        expect(tenths.reduce((sum, term) => sum + term)).toBe(Math.round(points * 10))
        expect(Math.min(...tenths)).toBeGreaterThanOrEqual(0)
      }
    }
  })
})

describe('the total', () => {
  it('counts each map 0.95 times as much as the one before', () => {
    expect(weightOf(1)).toBe(1)
    expect(weightOf(2) * 534.2).toBeCloseTo(507.49, 6)
    expect(weightOf(50)).toBeCloseTo(0.081, 3)
    expect(weightOf(100)).toBeCloseTo(0.006, 3)
    expect(totalOf([89, 534.2, 586.1, 375, 178.1, 326])).toBeCloseTo(1925.46, 2)
    expect(totalOf([])).toBe(0)
  })

  it.each([
    ['20 world records of 41', 20, 41, 1, 8554],
    ['60 maps at 8th of 41', 60, 41, 8, 8461],
    ['10 world records of 101', 10, 101, 1, 6688],
    ['500 maps dead last of 41', 500, 41, 41, 400],
    ['300 maps of five friends, always the first', 300, 5, 1, 3333],
  ])('of %s', (_, maps, finishers, place, total) => {
    const { points } = pointsOf(alone(finishers - 1, place))
    expect(Math.abs(totalOf(Array.from({ length: maps }, () => points)) - total)).toBeLessThan(1)
  })
})
