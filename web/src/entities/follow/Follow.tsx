import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import {
  type MapRef,
  type PlayerRef,
  useFollowMapMutation,
  useFollowPlayerMutation,
  useGetMapFollowQuery,
  useGetPlayerFollowQuery,
  useUnfollowMapMutation,
  useUnfollowPlayerMutation,
} from '@/api'
import { errorText, type QueryError } from '@/api/error'
import { useSession } from '@/store/hooks'
import { Button, VisuallyHidden } from '@/ui'
import { toaster } from '@/ui/toaster'

interface Common {
  small?: true | undefined
  /** It is in a list of what is followed, from which a click removes it. */
  listed?: true
}

/** Follows a player, or no longer. Visitors and the player themselves have no button. */
export function FollowPlayer({ player, small, listed }: Common & { player: Pick<PlayerRef, '_id' | 'name'> }) {
  const user = useSession()
  const hidden = !user || user._id === player._id
  const query = useGetPlayerFollowQuery({ id: player._id }, { skip: listed || hidden })
  const [follow, following] = useFollowPlayerMutation()
  const [unfollow, unfollowing] = useUnfollowPlayerMutation()
  if (hidden) return null
  return (
    <FollowButton
      name={player.name}
      followed={listed ?? query.currentData?.data.following ?? false}
      loading={query.isLoading || following.isLoading || unfollowing.isLoading}
      small={small}
      change={(followed) => (followed ? follow : unfollow)({ id: player._id })}
    />
  )
}

/** Follows a map in all its versions, or no longer. Visitors have no button. */
export function FollowMap({ map, small, listed }: Common & { map: MapRef }) {
  const hidden = !useSession()
  const query = useGetMapFollowQuery({ id: map._id }, { skip: listed || hidden })
  const [follow, following] = useFollowMapMutation()
  const [unfollow, unfollowing] = useUnfollowMapMutation()
  if (hidden) return null
  return (
    <FollowButton
      name={map.name}
      followed={listed ?? query.currentData?.data.following ?? false}
      loading={query.isLoading || following.isLoading || unfollowing.isLoading}
      small={small}
      change={(followed) => (followed ? follow : unfollow)({ id: map._id })}
    />
  )
}

interface Props {
  name: string
  followed: boolean
  loading: boolean
  small: true | undefined
  change: (followed: boolean) => PromiseLike<{ error?: QueryError }>
}

function FollowButton({ name, followed, loading, small, change }: Props) {
  const onClick = async () => {
    const { error } = await change(!followed)
    if (!error) return
    const fallback = followed ? t`${name} could not be unfollowed` : t`${name} could not be followed`
    toaster.error({ title: errorText(error, fallback) })
  }
  return (
    <Button
      variant="outline"
      size={small ? 'xs' : 'md'}
      disabled={loading}
      aria-busy={loading || undefined}
      onClick={onClick}
    >
      {followed ? (
        <Trans>
          Unfollow <VisuallyHidden>{name}</VisuallyHidden>
        </Trans>
      ) : (
        <Trans>
          Follow <VisuallyHidden>{name}</VisuallyHidden>
        </Trans>
      )}
    </Button>
  )
}
