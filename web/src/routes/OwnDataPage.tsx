import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Deletion } from '@/features/settings/data/Deletion'
import { Export } from '@/features/settings/data/Export'
import { SettingsSection } from '@/features/settings/SettingsSection'
import { Text } from '@/ui'
import { PageLink } from '@/ui/links'
import { paths } from './paths'

export default function OwnDataPage() {
  return (
    <SettingsSection title={t`Your data`}>
      <Text color="fg.muted">
        <Trans>
          What is stored about you, why and for how long is in the{' '}
          <PageLink to={paths.privacy} variant="underline">
            privacy policy
          </PageLink>
          . What moderators have decided about you is on a{' '}
          <PageLink to={paths.decisions} variant="underline">
            page of its own
          </PageLink>
          .
        </Trans>
      </Text>
      <Export />
      <Deletion />
    </SettingsSection>
  )
}
