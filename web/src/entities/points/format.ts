import { i18n } from '@lingui/core'

const ONE_DECIMAL = { minimumFractionDigits: 1, maximumFractionDigits: 1 } as const

/** Formats points with one decimal, such as 1,925.5. */
export const formatPoints = (points: number): string => i18n.number(points, ONE_DECIMAL)

/** Formats points won or lost, with their sign. */
export const formatPointsChange = (points: number): string =>
  i18n.number(points, { ...ONE_DECIMAL, signDisplay: 'exceptZero' })

/** Formats how much of the points on a map counts, such as 0.95. It has the decimals that a total needs to be recomputed. */
export const formatWeight = (weight: number): string => i18n.number(weight, { maximumFractionDigits: 6 })
