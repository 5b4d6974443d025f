import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import {
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

type Thing = Pick<PlayerRef, '_id' | 'name'>

interface Common {
  small?: true | undefined
  /** It is in a list of what is followed, from which a click removes it. */
  listed?: true
}

type Mutation = readonly [(arg: { id: string }) => PromiseLike<{ error?: QueryError }>, { isLoading: boolean }]

/** Follows a player, or no longer. Visitors and the player themselves have no button. */
export function FollowPlayer({ player, ...props }: Common & { player: Thing }) {
  const user = useSession()
  const hidden = !user || user._id === player._id
  const query = useGetPlayerFollowQuery({ id: player._id }, { skip: props.listed || hidden })
  const follow = useFollowPlayerMutation()
  const unfollow = useUnfollowPlayerMutation()
  return !hidden && <FollowButton {...props} thing={player} query={query} follow={follow} unfollow={unfollow} />
}

/** Follows a map in all its versions, or no longer. Visitors have no button. */
export function FollowMap({ map, ...props }: Common & { map: Thing }) {
  const hidden = !useSession()
  const query = useGetMapFollowQuery({ id: map._id }, { skip: props.listed || hidden })
  const follow = useFollowMapMutation()
  const unfollow = useUnfollowMapMutation()
  return !hidden && <FollowButton {...props} thing={map} query={query} follow={follow} unfollow={unfollow} />
}

interface Props extends Common {
  thing: Thing
  query: { currentData?: { data: { following: boolean } } | undefined; isLoading: boolean }
  follow: Mutation
  unfollow: Mutation
}

function FollowButton({ thing: { _id: id, name }, query, follow, unfollow, small, listed }: Props) {
  const followed = listed ?? query.currentData?.data.following ?? false
  const loading = query.isLoading || follow[1].isLoading || unfollow[1].isLoading
  const onClick = async () => {
    const [change] = followed ? unfollow : follow
    const { error } = await change({ id })
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
          Unfollow <VisuallyHidden htmlTranslate="no">{name}</VisuallyHidden>
        </Trans>
      ) : (
        <Trans>
          Follow <VisuallyHidden htmlTranslate="no">{name}</VisuallyHidden>
        </Trans>
      )}
    </Button>
  )
}
