import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { formatMoment, sinceText } from '../format'

/** How long ago something happened, as it was when the page was drawn. */
export function Ago({ iso }: { iso: string }) {
  const [now] = useState(Date.now)
  const duration = sinceText(iso, now)
  return <time dateTime={iso} title={formatMoment(iso)}>{t`${duration} ago`}</time>
}
