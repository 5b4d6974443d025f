const MASK = '__:__.__'
const DIGITS = 6

/** Puts typed digits into the mask MM:SS.CC; an open place is an underscore. */
export function maskTime(typed: string): string {
  const digits = digitsOf(typed)
  if (digits === '') return ''
  let at = 0
  return MASK.replace(/_/g, () => digits[at++] ?? '_')
}

/** Returns the position of the caret in a masked time, given what was before it in the typed text. */
export function caretIn(beforeCaret: string): number {
  const digits = digitsOf(beforeCaret).length
  return digits + (digits > 2 ? 1 : 0) + (digits > 4 ? 1 : 0)
}

const digitsOf = (text: string) => text.replace(/[^0-9]/g, '').slice(0, DIGITS)
