import { t } from '@lingui/core/macro'
import { SettingsSection } from '@/features/settings/SettingsSection'
import { Webhooks } from '@/features/settings/webhooks/Webhooks'

export default function WebhooksPage() {
  return (
    <SettingsSection
      title={t`Webhooks`}
      hint={t`The site sends events to an address of yours: a Discord channel, or a program.`}
    >
      <Webhooks />
    </SettingsSection>
  )
}
