import { t } from '@lingui/core/macro'
import { Text } from '@/ui'

/** Stands for a part of the profile whose code could not be fetched. */
export function NotLoaded() {
  return <Text color="fg.muted">{t`This part of the page could not be loaded. Please reload the page.`}</Text>
}
