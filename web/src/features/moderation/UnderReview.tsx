import { LazyParts, lazyPart } from '@/ui/lazyPart'

// Without its code the page is complete.
const UnderReviewBadge = lazyPart(() => import('./UnderReviewBadge'))

/** Says that a world record is under review, where it is. */
export function UnderReview(props: { recordId: string }) {
  return (
    <LazyParts>
      <UnderReviewBadge {...props} />
    </LazyParts>
  )
}
