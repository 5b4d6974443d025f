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

/**
 * Parses mm:ss with an optional fraction of 1 to 3 digits and returns milliseconds on a frame. Anything else,
 * including an incomplete mask such as 01:2_.__, is null.
 */
export function parseTime(text: string): number | null {
  const [, minutes, seconds, fraction = ''] = /^([0-9]{1,2}):([0-9]{1,2})(?:\.([0-9]{1,3}))?$/.exec(text) ?? []
  if (minutes === undefined || seconds === undefined || Number(seconds) >= 60) return null
  return snapToFrame((Number(minutes) * 60 + Number(seconds)) * 1000 + Number(fraction.padEnd(3, '0')))
}

/** Returns the nearest of 30 frames a second, rounded to whole milliseconds. */
export function snapToFrame(ms: number): number {
  const frame = Math.floor((2 * ms * FRAMES_PER_SECOND + 1000) / 2000)
  return Math.floor((2 * frame * 1000 + FRAMES_PER_SECOND) / (2 * FRAMES_PER_SECOND))
}
