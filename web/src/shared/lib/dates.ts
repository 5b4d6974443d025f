const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short' })

// formatDate shows a day, such as 11 May 2026; 'N/A' where there is none.
export const formatDate = (iso: string | null | undefined) => show(day, iso)

// formatMoment shows a day and its time, in the visitor's time zone.
export const formatMoment = (iso: string | null | undefined) => show(moment, iso)

function show(format: Intl.DateTimeFormat, iso: string | null | undefined): string {
  const date = new Date(iso ?? Number.NaN)
  return Number.isNaN(date.getTime()) ? 'N/A' : format.format(date)
}
