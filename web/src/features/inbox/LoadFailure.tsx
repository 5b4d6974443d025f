import { t } from '@lingui/core/macro'
import { Text } from '@/ui'

/** Takes the place of a part whose code could not be loaded. */
export function LoadFailure() {
  return <Text role="alert">{t`This could not be loaded. Please try again.`}</Text>
}
