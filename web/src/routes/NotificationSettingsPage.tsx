import { t } from '@lingui/core/macro'
import { InboxSettings } from '@/features/inbox/InboxSettings'
import { SettingsSection } from '@/features/settings/SettingsSection'

export default function NotificationSettingsPage() {
  return (
    <SettingsSection title={t`Notifications`}>
      <InboxSettings />
    </SettingsSection>
  )
}
