/** Returns the midnight at which a day of a date field begins, in the visitor's time zone, or null for another text. */
export function dayOf(text: string): Date | null {
  const day = new Date(`${text}T00:00:00`)
  return Number.isNaN(day.getTime()) ? null : day
}

/** Returns the midnight at which the day after one begins. A day on which the clocks change has not 24 hours. */
export const dayAfter = (day: Date): Date => new Date(day.getFullYear(), day.getMonth(), day.getDate() + 1)
