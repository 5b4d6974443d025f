const MEGABYTE = 1 << 20

// What the pages take; the server checks again.
export const REPLAY_LIMIT_MB = { map: 5, record: 1 } as const

// tooLarge returns what to say of a file above a limit, or null.
export function tooLarge(file: File, limitMb: number): string | null {
  return file.size > limitMb * MEGABYTE ? `File too large. Maximum size is ${limitMb} MB` : null
}
