import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { config } from '@/config'
import { NextGoals } from '@/features/goals/NextGoals'
import { RecentMaps, RecentRecords } from '@/features/home/Recent'
import { StatCounters } from '@/features/home/StatCounters'
import { slogan } from '@/locales'
import { useSession } from '@/store/hooks'
import { Flex, Heading, Stack, Text } from '@/ui'
import { PageHeading, usePageTitle } from '@/ui/headings'
import { MapIcon, UsersIcon } from '@/ui/icons'
import { ButtonLink } from '@/ui/links'
import { Scene } from '@/ui/more/Scene'
import { paths } from './paths'

export default function HomePage() {
  usePageTitle()
  return (
    <Stack gap={{ base: '10', md: '14' }}>
      <Scene slogan={slogan()} />
      <Intro />
      <StatCounters />
      <RecentMaps />
      <NextGoals />
      <RecentRecords />
      <JoinCommunity />
    </Stack>
  )
}

function Intro() {
  return (
    <Stack gap="5" align="flex-start" maxW="3xl">
      <PageHeading>
        <Trans>Find a map. Beat the clock.</Trans>
      </PageHeading>
      <Text color="fg.muted" textStyle={{ base: 'md', md: 'lg' }}>
        <Trans>
          {config.siteName} keeps the parkour maps of {config.game.name} and the fastest records on them. Look for a map
          that suits you, race for its medals, and submit your replay.
        </Trans>
      </Text>
      <Flex wrap="wrap" gap="3">
        <ButtonLink to={paths.allMaps} size="lg">
          <MapIcon /> <Trans>Explore Maps</Trans>
        </ButtonLink>
        <ButtonLink to={paths.playerSearch} size="lg" variant="outline">
          <UsersIcon /> <Trans>View Players</Trans>
        </ButtonLink>
      </Flex>
    </Stack>
  )
}

/** Invites visitors to log in, and players to submit a record. */
function JoinCommunity() {
  const user = useSession()
  return (
    <Flex
      as="section"
      direction={{ base: 'column', md: 'row' }}
      justify="space-between"
      align={{ md: 'center' }}
      gap="5"
      p={{ base: '5', md: '8' }}
      borderWidth="1px"
      borderColor="brand.border"
      rounded="l3"
      bg="brand.subtle"
    >
      <Stack gap="2" maxW="2xl">
        <Heading as="h2" textStyle="2xl">
          <Trans>Join the community</Trans>
        </Heading>
        <Text color="fg.muted">
          {user
            ? t`You are in, ${user.name}. Record your next race with the replay mod and submit it.`
            : t`Prove your ${config.game.name} account with a code, without a password, and race for a place on the leaderboards.`}
        </Text>
      </Stack>
      <ButtonLink
        to={user ? paths.recordSubmit : paths.login}
        size="lg"
        alignSelf={{ base: 'flex-start', md: 'center' }}
      >
        {user ? t`Submit Record` : t`Login with ${config.game.name}`}
      </ButtonLink>
    </Flex>
  )
}
