import { t } from '@lingui/core/macro'
import { Text } from '../basics'

/** Stands for a part of a page whose code could not be fetched. */
export function NotLoaded() {
  return (
    <Text role="alert" color="fg.muted">{t`This part of the page could not be loaded. Please reload the page.`}</Text>
  )
}
