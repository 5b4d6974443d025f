import { t } from '@lingui/core/macro'
import { HowModeratorsWork, ModerationView } from '@/features/moderation/ModerationView'
import { Stack } from '@/ui'
import { PageHeading, usePageTitle } from '@/ui/headings'

export default function ModerationPage() {
  usePageTitle(t`Moderation`)
  return (
    <Stack gap="8">
      <PageHeading>{t`Moderation`}</PageHeading>
      <HowModeratorsWork />
      <ModerationView />
    </Stack>
  )
}
