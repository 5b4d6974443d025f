import { useGetPlayerQuery } from '@/api'
import { errorText, isNotFound } from '@/api/error'
import { paths } from '@/routes/paths'
import { Badge, Heading, HStack, Stack, VisuallyHidden } from '@/ui'
import { BackLink } from '@/ui/BackLink'
import { EmptyMessage } from '@/ui/EmptyMessage'
import { ErrorAlert } from '@/ui/ErrorAlert'
import { TrophyIcon } from '@/ui/icons'
import { PageHeading } from '@/ui/PageHeading'
import { usePageTitle } from '@/ui/usePageTitle'
import { PlayerMaps } from './PlayerMaps'
import { PlayerRecords } from './PlayerRecords'
import { ProfileCard, ProfileCardSkeleton } from './ProfileCard'

const messages = { refused: 'Failed to fetch player', unreachable: 'Error fetching player' }

export function PlayerProfile({ playerId }: { playerId: string }) {
  const { data, error, refetch } = useGetPlayerQuery({ id: playerId })
  const player = data?.data
  usePageTitle(player?.name ?? 'Player')
  return (
    <>
      <BackLink to={paths.playerSearch}>Back to Players</BackLink>
      {player ? (
        <Stack gap="10">
          <ProfileCard player={player} />
          {player.trophies.length > 0 && <Achievements />}
          <PlayerRecords playerId={player._id} />
          <PlayerMaps player={player} />
        </Stack>
      ) : isNotFound(error) ? (
        <>
          <VisuallyHidden as="h1">Player</VisuallyHidden>
          <EmptyMessage title="Player Not Found" hint="There is no such profile. Search for the player by name." />
        </>
      ) : error ? (
        <Stack gap="4">
          <PageHeading>Player</PageHeading>
          <ErrorAlert text={errorText(error, messages)} onRetry={refetch} />
        </Stack>
      ) : (
        <ProfileCardSkeleton />
      )}
    </>
  )
}

function Achievements() {
  return (
    <HStack as="section" gap="3" color="medal.gold">
      <TrophyIcon />
      <Heading as="h2" textStyle="2xl" color="fg">
        Achievements
      </Heading>
      <Badge>Coming Soon</Badge>
    </HStack>
  )
}
