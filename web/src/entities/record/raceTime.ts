// Finish times are whole milliseconds that fall on the game's frames.
const FRAMES_PER_SECOND = 30

/** Formats milliseconds as mm:ss.cc, rounded to hundredths, with a minus before a negative time. */
export function formatTime(ms: number): string {
  const hundredths = Math.floor((Math.abs(ms) + 5) / 10)
  const two = (n: number) => String(n).padStart(2, '0')
  const text = `${two(Math.floor(hundredths / 6000))}:${two(Math.floor(hundredths / 100) % 60)}.${two(hundredths % 100)}`
  return ms < 0 ? `-${text}` : text
}

/** Formats a difference of two times with its sign. */
export const formatDifference = (ms: number): string => (ms > 0 ? `+${formatTime(ms)}` : formatTime(ms))

const CLOCK = /^(?:([0-9]{1,2}):([0-5][0-9])|([0-9]{1,3})):([0-5]?[0-9])(?:\.([0-9]{1,3}))?$/

/**
 * Parses minutes and seconds, or hours, minutes and seconds, with an optional fraction of 1 to 3 digits and returns
 * milliseconds on a frame. Anything else, including an incomplete mask such as 01:2_.__, is null.
 */
export function parseTime(text: string): number | null {
  const parts = CLOCK.exec(text)
  if (!parts) return null
  const [hours, minutes, minutesAlone, seconds] = parts.slice(1, 5).map((digits = '0') => Number(digits))
  const wholeSeconds = ((hours ?? 0) * 60 + (minutes ?? 0) + (minutesAlone ?? 0)) * 60 + (seconds ?? 0)
  return snapToFrame(wholeSeconds * 1000 + Number((parts[5] ?? '').padEnd(3, '0')))
}

/** Returns the nearest of 30 frames a second, rounded to whole milliseconds. */
export function snapToFrame(ms: number): number {
  const frame = Math.floor((2 * ms * FRAMES_PER_SECOND + 1000) / 2000)
  return Math.floor((2 * frame * 1000 + FRAMES_PER_SECOND) / (2 * FRAMES_PER_SECOND))
}
