import { t } from '@lingui/core/macro'
import { InboxTabs } from '@/features/inbox/InboxTabs'
import { InboxView } from '@/features/inbox/InboxView'
import { paths } from './paths'

export default function InboxPage() {
  return (
    <InboxTabs title={t`Inbox`} path={paths.inbox}>
      <InboxView />
    </InboxTabs>
  )
}
