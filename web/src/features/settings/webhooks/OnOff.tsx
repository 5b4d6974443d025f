import { t } from '@lingui/core/macro'
import { Badge } from '@/ui'

/** Whether a webhook is on. */
export function OnOff({ enabled }: { enabled: boolean }) {
  return enabled ? <Badge colorPalette="green">{t`On`}</Badge> : <Badge colorPalette="red">{t`Off`}</Badge>
}
