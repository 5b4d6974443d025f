import { Heading, Stack } from '@chakra-ui/react'
import { useGetPlayerQuery } from '@/shared/api'
import { isNotFound, problemText } from '@/shared/api/problem'
import { BackLink } from '@/shared/components/BackLink'
import { EmptyState } from '@/shared/components/EmptyState'
import { PageHeading } from '@/shared/components/PageHeading'
import { ProblemAlert } from '@/shared/components/ProblemAlert'
import { usePageTitle } from '@/shared/lib/usePageTitle'
import { Achievements } from './Achievements'
import { PlayerMaps } from './PlayerMaps'
import { PlayerRuns } from './PlayerRuns'
import { ProfileCard, ProfileCardSkeleton } from './ProfileCard'

const FAILED = { failed: 'Failed to fetch player', broken: 'Error fetching player' }

export function PlayerProfile({ playerId }: { playerId: string }) {
  const { data, error, refetch } = useGetPlayerQuery({ id: playerId })
  const player = data?.data
  usePageTitle(player?.name ?? 'Player')
  return (
    <>
      <BackLink to="/player-search">Back to Players</BackLink>
      {player ? (
        <Stack gap="10">
          <ProfileCard player={player} />
          {player.trophies.length > 0 && <Achievements />}
          <PlayerRuns playerId={player._id} />
          <PlayerMaps playerId={player._id} />
        </Stack>
      ) : isNotFound(error) ? (
        <>
          <Heading as="h1" srOnly>
            Player
          </Heading>
          <EmptyState
            title="Player Not Found"
            hint="Nobody has this profile. The player search knows everybody by name."
          />
        </>
      ) : error ? (
        <>
          <PageHeading mb="4">Player</PageHeading>
          <ProblemAlert text={problemText(error, FAILED)} onRetry={refetch} />
        </>
      ) : (
        <ProfileCardSkeleton />
      )}
    </>
  )
}
