import { type ComponentType, lazy, Suspense } from 'react'

interface Props {
  recordId: string
}

// Without its code the page is complete.
const BeingLookedAt = lazy<ComponentType<Props>>(() => import('./BeingLookedAt').catch(() => ({ default: () => null })))

/** Says that a world record is being looked at, where it is. */
export function LookedAt({ recordId }: Props) {
  return (
    <Suspense>
      <BeingLookedAt recordId={recordId} />
    </Suspense>
  )
}
