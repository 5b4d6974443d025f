import { t } from '@lingui/core/macro'
import { InboxSettings } from '@/features/inbox/InboxSettings'
import { InboxTabs } from '@/features/inbox/InboxTabs'
import { paths } from './paths'

export default function InboxSettingsPage() {
  return (
    <InboxTabs title={t`Settings of the inbox`} path={paths.inboxSettings}>
      <InboxSettings />
    </InboxTabs>
  )
}
