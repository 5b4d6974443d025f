import { t } from '@lingui/core/macro'
import { OwnDecisions } from '@/features/decisions/OwnDecisions'
import { Stack } from '@/ui'
import { PageHeading, usePageTitle } from '@/ui/headings'

export default function DecisionsPage() {
  usePageTitle(t`Decisions about you`)
  return (
    <Stack gap="6" maxW="3xl">
      <PageHeading>{t`Decisions about you`}</PageHeading>
      <OwnDecisions />
    </Stack>
  )
}
