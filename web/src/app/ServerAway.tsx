import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useServerBack } from '@/api/connection'
import { config } from '@/config'
import { Button, Spinner, Text } from '@/ui'
import { PageHeading, usePageTitle } from '@/ui/headings'
import { CenteredMessage } from '@/ui/messages'

/** Fills a page while the server cannot be reached. It keeps asking and calls onBack when the server answers. */
export function ServerAway({ onBack }: { onBack: () => void }) {
  usePageTitle(t`Be right back`)
  const askNow = useServerBack(true, onBack)
  return (
    <CenteredMessage alert>
      <PageHeading>{t`${config.siteName} cannot be reached`}</PageHeading>
      <Text color="fg.muted">
        <Trans>The server can't be reached right now. This page keeps trying and continues by itself.</Trans>
      </Text>
      <Spinner size="xl" color="fg.muted" aria-hidden="true" />
      <Button variant="outline" onClick={askNow}>{t`Try now`}</Button>
    </CenteredMessage>
  )
}
