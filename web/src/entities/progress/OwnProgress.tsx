import { Suspense } from 'react'
import { useSession } from '@/store/hooks'
import { styled } from '@/ui'
import { lazyPart } from '@/ui/lazyPart'
import type { ProgressOf } from './ProgressLines'

// Without its code nothing is shown, as without its data.
const ProgressLines = lazyPart(() => import('./ProgressLines'))

interface Props extends ProgressOf {
  /** Shows it in one line where there is room. */
  wide?: boolean
}

/**
 * The progress of the player who is logged in on one of the maps that a page lists, in two lines. They are reserved before
 * it is known; it is absent for visitors.
 */
export function OwnProgress({ map, maps, wide }: Props) {
  if (!useSession()) return null
  return (
    <Lines wide={wide}>
      <Suspense>
        <ProgressLines map={map} maps={maps} />
      </Suspense>
    </Lines>
  )
}

const Lines = styled('div', {
  base: { minH: '10', textStyle: 'xs', lineHeight: '1.125rem', color: 'fg.muted' },
  variants: { wide: { true: { sm: { display: 'flex', columnGap: '5', minH: '5', textStyle: 'sm' } } } },
})

/** Returns the ids of maps as a request for the progress on them takes them. */
export const idsOf = (maps: readonly { _id: string }[]): string => maps.map(({ _id }) => _id).join(',')
