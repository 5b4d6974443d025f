import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { MapRef, PlayerRef } from '@/api'
import { errorText, type QueryError } from '@/api/error'
import {
  useFollowMapMutation,
  useFollowPlayerMutation,
  useGetMapFollowQuery,
  useGetPlayerFollowQuery,
  useUnfollowMapMutation,
  useUnfollowPlayerMutation,
} from '@/api/settings'
import { Button, VisuallyHidden } from '@/ui'
import { toaster } from '@/ui/toaster'

interface Common {
  small?: true | undefined
  /** It is in a list of what is followed, from which a click removes it. */
  listed?: true
}

export function FollowPlayer({ player, small, listed }: Common & { player: Pick<PlayerRef, '_id' | 'name'> }) {
  const query = useGetPlayerFollowQuery({ id: player._id }, { skip: listed })
  const [follow, following] = useFollowPlayerMutation()
  const [unfollow, unfollowing] = useUnfollowPlayerMutation()
  return (
    <FollowButton
      name={player.name}
      followed={listed ?? query.currentData?.data.following ?? false}
      loading={query.isLoading || following.isLoading || unfollowing.isLoading}
      small={small}
      listed={listed}
      change={(followed) => (followed ? follow : unfollow)({ id: player._id })}
    />
  )
}

export function FollowMap({ map, small, listed }: Common & { map: MapRef }) {
  const query = useGetMapFollowQuery({ id: map._id }, { skip: listed })
  const [follow, following] = useFollowMapMutation()
  const [unfollow, unfollowing] = useUnfollowMapMutation()
  return (
    <FollowButton
      name={map.name}
      followed={listed ?? query.currentData?.data.following ?? false}
      loading={query.isLoading || following.isLoading || unfollowing.isLoading}
      small={small}
      listed={listed}
      change={(followed) => (followed ? follow : unfollow)({ id: map._id })}
    />
  )
}

interface Props extends Common {
  name: string
  followed: boolean
  loading: boolean
  change: (followed: boolean) => PromiseLike<{ error?: QueryError }>
}

function FollowButton({ name, followed, loading, small, listed, change }: Props) {
  const onClick = async () => {
    const { error } = await change(!followed)
    if (error) {
      const fallback = followed ? t`${name} could not be unfollowed` : t`${name} could not be followed`
      toaster.error({ title: errorText(error, fallback) })
    } else if (listed) {
      // The list removes the button, with the focus on it.
      document.getElementById('main')?.focus({ preventScroll: true })
    }
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
