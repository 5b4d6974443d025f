import { Suspense } from 'react'
import { lazyPart } from '@/ui/lazyPart'

// Without its code the page is complete.
const BeingLookedAt = lazyPart(() => import('./BeingLookedAt'))

/** Says that a world record is being looked at, where it is. */
export function LookedAt(props: { recordId: string }) {
  return (
    <Suspense>
      <BeingLookedAt {...props} />
    </Suspense>
  )
}
