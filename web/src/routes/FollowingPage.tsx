import { t } from '@lingui/core/macro'
import { Following } from '@/features/inbox/Following'
import { InboxTabs } from '@/features/inbox/InboxTabs'
import { paths } from './paths'

export default function FollowingPage() {
  return (
    <InboxTabs title={t`Following`} path={paths.following}>
      <Following />
    </InboxTabs>
  )
}
