// runExpected goes with a navigation to the leaderboard of a map that was just submitted: the run in its replay is ranked a
// moment later.
export const runExpected = { runExpected: true } as const

export const isRunExpected = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'runExpected' in state && state.runExpected === true
