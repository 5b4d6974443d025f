import { t } from '@lingui/core/macro'
import { SettingsSection } from '@/features/settings/SettingsSection'
import { Tokens } from '@/features/settings/tokens/Tokens'

export default function TokensPage() {
  return (
    <SettingsSection
      title={t`Personal tokens`}
      hint={t`A program of yours can use the API with a token instead of your login.`}
    >
      <Tokens />
    </SettingsSection>
  )
}
