/** Where a player stands among those who count on a leaderboard. */
export interface Standing {
  /** Others who count and have finished the map: m. */
  opponents: number
  /** Those who are slower, and half of those with the same time: b. */
  beaten: number
  /** 1 and those who are faster: r. */
  place: number
}

/** The points on a map with the three terms that they are the sum of, all to the tenth. */
export interface Terms {
  finish: number
  beatenPoints: number
  placeBonus: number
  points: number
}

/** The constants of version 1 of the formula. */
export const FINISH = 30
export const BEATEN = 770
export const PLACE_BONUSES: readonly number[] = [200, 120, 90, 60, 20]
export const DIVISOR = 20
export const WEIGHT = 0.95

/** Returns the points of a player on a map that enough players have finished. */
export function pointsOf({ opponents, beaten, place }: Standing): Terms {
  const divisor = opponents + DIVISOR
  const finish = FINISH * opponents
  const untilBeaten = finish + BEATEN * beaten
  const points = untilBeaten + (PLACE_BONUSES[place - 1] ?? 0) * beaten
  // The sums are rounded, so that the rounded terms add up to the rounded points.
  const [first, second, all] = [finish, untilBeaten, points].map((sum) => tenthsOf(sum, divisor)) as [
    number,
    number,
    number,
  ]
  return { finish: first / 10, beatenPoints: (second - first) / 10, placeBonus: (all - second) / 10, points: all / 10 }
}

/** Returns a quotient in tenths, a half rounded up. The numerator is a multiple of a half, so that nothing is lost. */
const tenthsOf = (numerator: number, divisor: number) => Math.floor((20 * numerator + divisor) / (2 * divisor))

/** Returns how much of a map's points counts, by the map's position among the player's maps. */
export const weightOf = (position: number): number => WEIGHT ** (position - 1)

/** Returns the total of a player with these points on maps. */
export function totalOf(points: readonly number[]): number {
  return points.toSorted((a, b) => b - a).reduce((sum, each, i) => sum + each * weightOf(i + 1), 0)
}
