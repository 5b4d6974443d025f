import { Trans } from '@lingui/react/macro'
import { Badge } from '@/ui'

/** Whether a webhook is on. */
export function OnOff({ enabled }: { enabled: boolean }) {
  return enabled ? (
    <Badge colorPalette="green">
      <Trans>On</Trans>
    </Badge>
  ) : (
    <Badge colorPalette="red">
      <Trans>Off</Trans>
    </Badge>
  )
}
