const MASK = '__:__.__'
const DIGITS = 6

// maskTime puts what was typed into the mask MM:SS.CC; places that are still open show an underscore.
export function maskTime(typed: string): string {
  const digits = digitsOf(typed)
  if (digits === '') return ''
  let at = 0
  return MASK.replace(/_/g, () => digits[at++] ?? '_')
}

// caretIn is where the caret belongs in a masked time, given what stood before it in what was typed.
export function caretIn(beforeCaret: string): number {
  const digits = digitsOf(beforeCaret).length
  return digits + (digits > 2 ? 1 : 0) + (digits > 4 ? 1 : 0)
}

const digitsOf = (text: string) => text.replace(/[^0-9]/g, '').slice(0, DIGITS)
