import { Trans } from '@lingui/react/macro'
import { Suspense } from 'react'
import type { MapRef, PlayerRef } from '@/api'
import { useSession } from '@/store/hooks'
import { Button } from '@/ui'
import { lazyPart } from '@/ui/lazyPart'

interface PlayerProps {
  player: Pick<PlayerRef, '_id' | 'name'>
  small?: true | undefined
}

interface MapProps {
  map: MapRef
}

// Visitors have no button.
const PlayerButton = lazyPart<PlayerProps>(async () => ({ default: (await import('./FollowButtons')).FollowPlayer }))
const MapButton = lazyPart<MapProps>(async () => ({ default: (await import('./FollowButtons')).FollowMap }))

/** Follows a player, or no longer. Visitors and the player themselves have no button. */
export function FollowPlayer({ player, small }: PlayerProps) {
  const user = useSession()
  if (!user || user._id === player._id) return null
  return (
    <Suspense fallback={<Waiting small={small} />}>
      <PlayerButton player={player} small={small} />
    </Suspense>
  )
}

/** Follows a map in all its versions, or no longer. Visitors have no button. */
export function FollowMap({ map }: MapProps) {
  if (!useSession()) return null
  return (
    <Suspense fallback={<Waiting />}>
      <MapButton map={map} />
    </Suspense>
  )
}

/** Takes the place of the button until its code is loaded. */
function Waiting({ small }: { small?: true | undefined }) {
  return (
    <Button variant="outline" size={small ? 'xs' : 'md'} disabled>
      <Trans>Follow</Trans>
    </Button>
  )
}
