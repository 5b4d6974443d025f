import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Navigate, useLocation, useParams } from 'react-router'
import { useComparePlayersQuery } from '@/api'
import { errorCode, isNotFound, type QueryError } from '@/api/error'
import { hasFailed, Loaded } from '@/api/Loaded'
import { PlayerNotFound } from '@/entities/player/more/PlayerNotFound'
import { ComparedMaps } from '@/features/compare/ComparedMaps'
import { ComparisonHead, ComparisonView } from '@/features/compare/ComparisonView'
import { comparison, comparisonAddress } from '@/features/compare/queries'
import { Skeleton, Stack } from '@/ui'
import { useAddress } from '@/ui/address'
import { usePageTitle } from '@/ui/headings'
import { BackLink, ButtonLink } from '@/ui/links'
import { EmptyMessage } from '@/ui/messages'
import { paths } from './paths'

export default function ComparePage() {
  const { playerId = '', opponentId = '' } = useParams()
  // Other players begin with new state.
  return <ComparedPlayers key={`${playerId} ${opponentId}`} playerId={playerId} opponentId={opponentId} />
}

function ComparedPlayers({ playerId, opponentId }: { playerId: string; opponentId: string }) {
  const [view] = useAddress(comparisonAddress)
  const { search } = useLocation()
  const query = useComparePlayersQuery(comparison(playerId, opponentId, view))
  const { data, error } = query
  const players = data?.data
  usePageTitle(players ? t`${players.player.name} against ${players.opponent.name}` : t`Compare players`)
  // A player who was merged into another is answered with that one.
  if (players && (players.player._id !== playerId || players.opponent._id !== opponentId)) {
    return <Navigate to={paths.compare(players.player._id, players.opponent._id) + search} replace />
  }
  const same = errorCode(error) === 'same_player'
  const isMissing = (error: QueryError) => same || isNotFound(error)
  const failed = hasFailed({ query, keep: true, isMissing })
  const compared = (
    <Loaded
      // Another page of the maps has the same players.
      keep
      query={query}
      title={t`Compare players`}
      skeleton={<Skeleton h="24rem" rounded="l3" role="status" aria-label={t`Comparing the players`} />}
      isMissing={isMissing}
      missing={
        same ? (
          <EmptyMessage
            title={t`Both sides are the same player`}
            hint={t`A player can only be compared with another player.`}
          >
            <ButtonLink to={paths.player(playerId)}>
              <Trans>View Profile</Trans>
            </ButtonLink>
          </EmptyMessage>
        ) : (
          <PlayerNotFound />
        )
      }
    >
      {(shown) => (
        <Stack gap="10">
          <ComparisonView comparison={shown} query={view.sortBy === 'biggest' ? '?sortBy=biggest' : ''} />
          <ComparedMaps players={shown} query={query} />
        </Stack>
      )}
    </Loaded>
  )
  return (
    <>
      <ComparisonHead
        back={<BackLink to={paths.player(playerId)} onPicture>{t`Back to the profile`}</BackLink>}
        comparison={failed ? undefined : players}
        failure={failed ? compared : undefined}
      />
      {!failed && compared}
    </>
  )
}
