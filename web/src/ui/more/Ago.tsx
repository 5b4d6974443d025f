import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { durationText, formatMoment } from '../format'

/** How long ago something happened, as it was when the page was drawn. */
export function Ago({ iso }: { iso: string }) {
  const [now] = useState(Date.now)
  const duration = durationText(Math.max(now - Date.parse(iso), 0))
  return <time dateTime={iso} title={formatMoment(new Date(iso))}>{t`${duration} ago`}</time>
}
