import { styled } from 'styled-system/jsx'

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short' })

/** Formats a date and its time of day in the visitor's time zone; 'N/A' for an invalid date. */
export function formatMoment(date: Date): string {
  return Number.isNaN(date.getTime()) ? 'N/A' : moment.format(date)
}

const Time = styled('time')

/** A day, such as 11 May 2026, with the exact moment as its title; 'N/A' where there is none. */
export function DateTime({ iso }: { iso: string | null | undefined }) {
  const date = new Date(iso ?? Number.NaN)
  if (Number.isNaN(date.getTime())) return 'N/A'
  return (
    <Time dateTime={date.toISOString()} title={formatMoment(date)} whiteSpace="nowrap">
      {day.format(date)}
    </Time>
  )
}
