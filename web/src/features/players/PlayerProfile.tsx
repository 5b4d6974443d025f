import { useGetPlayerQuery } from '@/shared/api'
import { isNotFound, problemText } from '@/shared/api/problem'
import { BackLink } from '@/shared/components/BackLink'
import { EmptyState } from '@/shared/components/EmptyState'
import { PageHeading } from '@/shared/components/PageHeading'
import { ProblemAlert } from '@/shared/components/ProblemAlert'
import { Stack } from '@/shared/components/Stack'
import { usePageTitle } from '@/shared/lib/usePageTitle'
import text from '@/shared/theme/text.module.css'
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
        <Stack gap={10}>
          <ProfileCard player={player} />
          {player.trophies.length > 0 && <Achievements />}
          <PlayerRuns playerId={player._id} />
          <PlayerMaps player={player} />
        </Stack>
      ) : isNotFound(error) ? (
        <>
          <h1 className={text.hidden}>Player</h1>
          <EmptyState
            title="Player Not Found"
            hint="Nobody has this profile. The player search knows everybody by name."
          />
        </>
      ) : error ? (
        <Stack gap={4}>
          <PageHeading>Player</PageHeading>
          <ProblemAlert text={problemText(error, FAILED)} onRetry={refetch} />
        </Stack>
      ) : (
        <ProfileCardSkeleton />
      )}
    </>
  )
}
