import { t } from '@lingui/core/macro'
import { Following } from '@/features/inbox/Following'
import { InboxTabs } from '@/features/inbox/InboxTabs'

export default function FollowingPage() {
  return (
    <InboxTabs title={t`Following`}>
      <Following />
    </InboxTabs>
  )
}
