import type { PlayerPoints, Submitted } from '@/api'

/** The result of a submission, with the player's former rank on the leaderboard and points where they are known. */
export interface SubmissionResult extends Submitted {
  previousRank: number | null
  /** The player's total and rank before, null where they are not known. */
  pointsBefore: Pick<PlayerPoints, 'total' | 'rank'> | null
}

/** The state of the navigation to the leaderboard after a submission. */
export const recordSubmitted = (result: SubmissionResult) => ({ submitted: result })

/** Returns the result of the submission that led to the page, or null. */
export function submittedOf(state: unknown): SubmissionResult | null {
  const isResult = (value: unknown): value is { submitted: SubmissionResult } =>
    typeof value === 'object' && value !== null && 'submitted' in value
  return isResult(state) ? state.submitted : null
}

/**
 * The state of a navigation to the leaderboard of a map that was just submitted: the record in its replay is ranked a
 * moment later.
 */
export const recordExpected = { recordExpected: true } as const

export const isRecordExpected = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'recordExpected' in state && state.recordExpected === true
