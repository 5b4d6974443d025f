import { i18n } from '@lingui/core'
import { plural, t } from '@lingui/core/macro'
import { styled } from 'styled-system/jsx'
import { nextTask } from './nextTask'

/** What is shown in the place of a value that there is not. */
export const notAvailable = (): string => t`N/A`

/** Returns a name for a sentence, in which numbers keep their order beside one that is written from right to left. */
export const isolated = (name: string): string =>
  /[\u0590-\u08ff\ufb1d-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u.test(name) ? `\u2068${name}\u2069` : name

/** Formats a number in the active locale, such as 1,204. */
export const formatNumber = (value: number): string => i18n.number(value)

/** Formats milliseconds as seconds, rounded to hundredths as finish times are, such as 0.73 s. */
export function formatSeconds(ms: number): string {
  const seconds = i18n.number(Math.floor((ms + 5) / 10) / 100, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  return t`${seconds} s`
}

/** Formats a date and its time of day in the visitor's time zone; 'N/A' for an invalid date. */
export function formatMoment(moment: Date | string): string {
  const date = new Date(moment)
  if (Number.isNaN(date.getTime())) return notAvailable()
  return i18n.date(date, { dateStyle: 'long', timeStyle: 'short' })
}

/** Lets the browser read its tables of numbers and dates, which takes long at first: each in a task of its own. */
export async function prepareFormats(): Promise<void> {
  await nextTask()
  formatNumber(1)
  await nextTask()
  formatMoment(new Date())
}

const Time = styled('time')

/** A day, such as 11 May 2026, with the exact moment as its title; 'N/A' where there is none. */
export function DateTime({ iso }: { iso: string | null | undefined }) {
  const date = new Date(iso ?? Number.NaN)
  if (Number.isNaN(date.getTime())) return <span>{notAvailable()}</span>
  return (
    <Time dateTime={date.toISOString()} title={formatMoment(date)} whiteSpace="nowrap">
      {i18n.date(date, { day: 'numeric', month: 'short', year: 'numeric' })}
    </Time>
  )
}

export const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** Returns a duration in its largest whole unit, such as '3 days'. */
export function durationText(ms: number): string {
  const { days, hours, minutes } = wholeUnits(ms)
  if (days > 0) return plural(days, { one: '# day', other: '# days' })
  if (hours > 0) return plural(hours, { one: '# hour', other: '# hours' })
  if (minutes > 0) return plural(minutes, { one: '# minute', other: '# minutes' })
  return t`less than a minute`
}

/** Returns how long something has lasted, as a duration. */
export const sinceText = (iso: string, now = Date.now()): string => durationText(Math.max(now - Date.parse(iso), 0))

/** Returns how long ago something happened in the largest whole unit, such as '3 days ago'. */
export function agoText(iso: string, now = Date.now()): string {
  const { days, hours, minutes } = wholeUnits(Math.max(now - Date.parse(iso), 0))
  if (days > 0) return plural(days, { one: '# day ago', other: '# days ago' })
  if (hours > 0) return plural(hours, { one: '# hour ago', other: '# hours ago' })
  if (minutes > 0) return plural(minutes, { one: '# minute ago', other: '# minutes ago' })
  return t`less than a minute ago`
}

const wholeUnits = (ms: number) => ({
  days: Math.floor(ms / DAY_MS),
  hours: Math.floor(ms / HOUR_MS),
  minutes: Math.floor(ms / MINUTE_MS),
})
