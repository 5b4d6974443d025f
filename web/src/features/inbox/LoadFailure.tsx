import { Trans } from '@lingui/react/macro'
import { Text } from '@/ui'

/** Takes the place of a part whose code could not be loaded. */
export function LoadFailure() {
  return (
    <Text role="alert">
      <Trans>This could not be loaded. Please try again.</Trans>
    </Text>
  )
}
