export type ReplayErrorCode =
  | 'too_large'
  | 'line_too_long'
  | 'not_text'
  | 'not_a_replay'
  | 'bad_finish_time'
  | 'too_long'
  | 'bad_map_data'

// ReplayError says why a file is no replay, and in which line; 0 is the whole file.
export class ReplayError extends Error {
  constructor(
    readonly code: ReplayErrorCode,
    readonly line: number,
  ) {
    super(`${code} in line ${line}`)
  }
}
