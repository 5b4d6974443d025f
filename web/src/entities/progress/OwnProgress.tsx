import { useSession } from '@/store/hooks'
import { styled } from '@/ui'
import { LazyParts, lazyPart } from '@/ui/lazyPart'
import type { ProgressOf } from './ProgressLine'

// Without its code nothing is shown, as without its data.
const ProgressLine = lazyPart(() => import('./ProgressLine'))

/**
 * The progress of the player who is logged in on one of the maps that a page lists, as a course of one line. Its height is
 * reserved before it is known; it is absent for visitors.
 */
export function OwnProgress(props: ProgressOf) {
  if (!useSession()) return null
  return (
    <Line>
      <LazyParts>
        <ProgressLine {...props} />
      </LazyParts>
    </Line>
  )
}

const Line = styled('div', { base: { minH: '12', textStyle: 'xs', lineHeight: '1.125rem', color: 'fg.muted' } })

/** Returns the ids of maps as a request for the progress on them takes them. */
export const idsOf = (maps: readonly { _id: string }[]): string => maps.map(({ _id }) => _id).join(',')
