import { t } from '@lingui/core/macro'
import { useSession } from '@/store/hooks'
import { lazyPart } from '@/ui/lazyPart'
import { Part } from '@/ui/Part'
import { WhenNear } from '@/ui/WhenNear'

// Without its code the section is empty, and the page is complete.
const GoalTable = lazyPart(() => import('./GoalTable'))

/** What to play next: a player's goals, or maps to start with for visitors. */
export function NextGoals() {
  const user = useSession()
  return (
    <Part title={user ? t`Next Goals` : t`Maps to Start With`}>
      <WhenNear minH="24rem">
        {/* Another player begins with new state. */}
        <GoalTable key={user?._id} />
      </WhenNear>
    </Part>
  )
}
