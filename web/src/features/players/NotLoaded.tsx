import { Trans } from '@lingui/react/macro'
import { Text } from '@/ui'

/** Stands for a part of the profile whose code could not be fetched. */
export function NotLoaded() {
  return (
    <Text color="fg.muted">
      <Trans>This part of the page could not be loaded. Please reload the page.</Trans>
    </Text>
  )
}
