import { t } from '@lingui/core/macro'
import { EditAvatar } from '@/features/players/EditAvatar'
import { Account } from '@/features/settings/Account'
import { SettingsSection } from '@/features/settings/SettingsSection'

export default function AccountPage() {
  return (
    <SettingsSection title={t`Account`}>
      <Account avatarButton={<EditAvatar />} />
    </SettingsSection>
  )
}
