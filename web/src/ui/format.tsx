import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { styled } from 'styled-system/jsx'

/** What is shown in the place of a value that there is not. */
export const notAvailable = (): string => t`N/A`

/** Formats a number in the active locale, such as 1,204. */
export const formatNumber = (value: number): string => i18n.number(value)

/** Formats milliseconds as seconds, rounded to hundredths as finish times are, such as 0.73 s. */
export function formatSeconds(ms: number): string {
  const seconds = i18n.number(Math.floor((ms + 5) / 10) / 100, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  return t`${seconds} s`
}

/** Formats a date and its time of day in the visitor's time zone; 'N/A' for an invalid date. */
export function formatMoment(date: Date): string {
  if (Number.isNaN(date.getTime())) return notAvailable()
  return i18n.date(date, { dateStyle: 'long', timeStyle: 'short' })
}

const Time = styled('time')

/** A day, such as 11 May 2026, with the exact moment as its title; 'N/A' where there is none. */
export function DateTime({ iso }: { iso: string | null | undefined }) {
  const date = new Date(iso ?? Number.NaN)
  if (Number.isNaN(date.getTime())) return notAvailable()
  return (
    <Time dateTime={date.toISOString()} title={formatMoment(date)} whiteSpace="nowrap">
      {i18n.date(date, { day: 'numeric', month: 'short', year: 'numeric' })}
    </Time>
  )
}
