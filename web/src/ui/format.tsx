import { styled } from 'styled-system/jsx'

// Creating a formatter takes a while; it is done when the first date is shown.
let day: Intl.DateTimeFormat | undefined
let moment: Intl.DateTimeFormat | undefined

/** Formats a date and its time of day in the visitor's time zone; 'N/A' for an invalid date. */
export function formatMoment(date: Date): string {
  if (Number.isNaN(date.getTime())) return 'N/A'
  moment ??= new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short' })
  return moment.format(date)
}

const Time = styled('time')

/** A day, such as 11 May 2026, with the exact moment as its title; 'N/A' where there is none. */
export function DateTime({ iso }: { iso: string | null | undefined }) {
  const date = new Date(iso ?? Number.NaN)
  if (Number.isNaN(date.getTime())) return 'N/A'
  day ??= new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
  return (
    <Time dateTime={date.toISOString()} title={formatMoment(date)} whiteSpace="nowrap">
      {day.format(date)}
    </Time>
  )
}

/** Returns a count with its noun, such as "1,204 maps". */
export const countText = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-GB')} ${count === 1 ? one : many}`
