import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { HowModeratorsWork, ModerationView } from '@/features/moderation/ModerationView'
import { Stack } from '@/ui'
import { PageHeading, usePageTitle } from '@/ui/headings'

export default function ModerationPage() {
  usePageTitle(t`Moderation`)
  return (
    <Stack gap="8">
      <PageHeading>
        <Trans>Moderation</Trans>
      </PageHeading>
      <HowModeratorsWork />
      <ModerationView />
    </Stack>
  )
}
