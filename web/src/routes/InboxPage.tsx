import { t } from '@lingui/core/macro'
import { InboxTabs } from '@/features/inbox/InboxTabs'
import { InboxView } from '@/features/inbox/InboxView'

export default function InboxPage() {
  return (
    <InboxTabs title={t`Inbox`}>
      <InboxView />
    </InboxTabs>
  )
}
