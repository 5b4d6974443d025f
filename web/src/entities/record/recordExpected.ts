/**
 * The state of a navigation to the leaderboard of a map that was just submitted: the record in its replay is ranked a
 * moment later.
 */
export const recordExpected = { recordExpected: true } as const

export const isRecordExpected = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'recordExpected' in state && state.recordExpected === true
