import { useState } from 'react'
import { agoText, formatMoment } from '../format'

/** How long ago something happened, as it was when the page was drawn. */
export function Ago({ iso }: { iso: string }) {
  const [now] = useState(Date.now)
  return (
    <time dateTime={iso} title={formatMoment(iso)}>
      {agoText(iso, now)}
    </time>
  )
}
