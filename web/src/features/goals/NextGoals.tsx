import { Trans } from '@lingui/react/macro'
import { useSession } from '@/store/hooks'
import { SectionHeading } from '@/ui/headings'
import { lazyPart } from '@/ui/lazyPart'
import { WhenNear } from '@/ui/WhenNear'

// Without its code the section is empty, and the page is complete.
const GoalTable = lazyPart(() => import('./GoalTable'))

/** What to play next: a player's goals, or maps to start with for visitors. */
export function NextGoals() {
  const user = useSession()
  return (
    <section>
      <SectionHeading>{user ? <Trans>Next Goals</Trans> : <Trans>Maps to Start With</Trans>}</SectionHeading>
      <WhenNear minH="24rem">
        {/* Another player begins with new state. */}
        <GoalTable key={user?._id} />
      </WhenNear>
    </section>
  )
}
