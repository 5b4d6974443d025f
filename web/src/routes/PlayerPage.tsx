import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Suspense } from 'react'
import { useParams } from 'react-router'
import { useGetPlayerQuery } from '@/api'
import { One } from '@/api/One'
import { NextGoals } from '@/features/goals/NextGoals'
import { ReportButton } from '@/features/moderation/Moderated'
import { PlayerMaps } from '@/features/players/PlayerMaps'
import { PlayerPoints } from '@/features/players/PlayerPoints'
import { PlayerRecords } from '@/features/players/PlayerRecords'
import { PlayerStatistics } from '@/features/players/PlayerStatistics'
import { ProfileCard, ProfileCardSkeleton } from '@/features/players/ProfileCard'
import { useSession } from '@/store/hooks'
import { Badge, Heading, HStack, Stack } from '@/ui'
import { DrawnInSlices } from '@/ui/DrawnInSlices'
import { usePageTitle } from '@/ui/headings'
import { TrophyIcon } from '@/ui/icons'
import { lazyPart } from '@/ui/lazyPart'
import { BackLink, ButtonLink } from '@/ui/links'
import { EmptyMessage } from '@/ui/messages'
import { paths } from './paths'

const messages = { refused: msg`Failed to fetch player`, unreachable: msg`Error fetching player` }

// Without its code the page is complete.
const DeletionNotice = lazyPart(() => import('@/entities/player/DeletionNotice'))

export default function PlayerPage() {
  const { playerId = '' } = useParams()
  // Another player begins with new state.
  return <PlayerProfile key={playerId} playerId={playerId} />
}

function PlayerProfile({ playerId }: { playerId: string }) {
  const query = useGetPlayerQuery({ id: playerId })
  const user = useSession()
  usePageTitle(query.currentData?.data.name ?? t`Player`)
  return (
    <>
      <BackLink to={paths.playerSearch}>
        <Trans>Back to Players</Trans>
      </BackLink>
      <DrawnInSlices>
        <One
          query={query}
          title={t`Player`}
          messages={messages}
          skeleton={<ProfileCardSkeleton />}
          missing={
            <EmptyMessage
              title={t`Player Not Found`}
              hint={t`There is no such profile. Search for the player by name.`}
            >
              <ButtonLink to={paths.playerSearch}>
                <Trans>View Players</Trans>
              </ButtonLink>
            </EmptyMessage>
          }
        >
          {(player) => (
            <Stack gap="10">
              {player._id === user?._id && (
                <Suspense>
                  <DeletionNotice />
                </Suspense>
              )}
              <ProfileCard player={player}>
                <ReportButton kind="player" id={player._id} ownerId={player._id} small />
              </ProfileCard>
              {player.trophies.length > 0 && <Achievements />}
              {player._id === user?._id && <NextGoals />}
              <PlayerPoints playerId={player._id} />
              <PlayerRecords playerId={player._id} />
              <PlayerMaps player={player} />
              <PlayerStatistics playerId={player._id} />
            </Stack>
          )}
        </One>
      </DrawnInSlices>
    </>
  )
}

function Achievements() {
  return (
    <HStack as="section" gap="3" color="medal.gold">
      <TrophyIcon />
      <Heading as="h2" textStyle="2xl" color="fg">
        <Trans>Achievements</Trans>
      </Heading>
      <Badge>
        <Trans>Coming Soon</Trans>
      </Badge>
    </HStack>
  )
}
