import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { config } from '@/config'
import { NextGoals } from '@/features/goals/NextGoals'
import { FirstSteps } from '@/features/home/FirstSteps'
import { NewWorldRecords } from '@/features/home/NewWorldRecords'
import { RecentMaps, RecentRecords } from '@/features/home/Recent'
import { StatCounters } from '@/features/home/StatCounters'
import { TopOfMonth } from '@/features/home/TopOfMonth'
import { slogan } from '@/locales'
import type { User } from '@/session/session'
import { useSession } from '@/store/hooks'
import { Box, Flex, Grid, Heading, Name, Skeleton, Stack, Text } from '@/ui'
import { PageHeading, usePageTitle } from '@/ui/headings'
import { MapIcon, UsersIcon } from '@/ui/icons'
import { LazyParts, lazyPart } from '@/ui/lazyPart'
import { ButtonLink } from '@/ui/links'
import { Scene } from '@/ui/more/Scene'
import { paths } from './paths'

export default function HomePage() {
  usePageTitle()
  const user = useSession()
  return (
    <Stack gap={{ base: '8', md: '6' }}>
      <Scene slogan={slogan()} />
      {user ? <Welcome key={user._id} user={user} /> : <Intro />}
      <Grid
        gridTemplateColumns={{
          base: 'minmax(0, 1fr)',
          md: 'repeat(2, minmax(0, 1fr))',
          xl: 'minmax(0, 4.75fr) minmax(0, 4.25fr) minmax(0, 3fr)',
        }}
        columnGap={{ base: '6', xl: '8' }}
        rowGap="8"
        alignItems="start"
        mb={{ md: '4' }}
      >
        <NewWorldRecords />
        <RecentMaps />
        <Grid columns={{ base: 1, md: 2, xl: 1 }} gap="6" gridColumn={{ md: '1 / -1', xl: 'auto' }}>
          <TopOfMonth />
          <StatCounters />
        </Grid>
      </Grid>
      {!user && <FirstSteps />}
      <NextGoals />
      <RecentRecords />
      {!user && <JoinCommunity />}
    </Stack>
  )
}

function Intro() {
  return (
    <Flex direction={{ base: 'column', lg: 'row' }} justify="space-between" align={{ lg: 'center' }} gap="4">
      <Stack gap="1" maxW="3xl">
        <PageHeading>{t`Find a map. Beat the clock.`}</PageHeading>
        <Text color="fg.muted">
          <Trans>
            {config.siteName} keeps the parkour maps of {config.game.name} and the fastest records on them. Look for a
            map that suits you, race for its medals, and submit your replay.
          </Trans>
        </Text>
      </Stack>
      <Explore />
    </Flex>
  )
}

function Explore() {
  return (
    <Flex wrap="wrap" gap="3" flexShrink="0" maxW="full">
      <ButtonLink to={paths.allMaps}>
        <MapIcon /> <Trans>Explore Maps</Trans>
      </ButtonLink>
      <ButtonLink to={paths.playerSearch} variant="outline">
        <UsersIcon /> <Trans>View Players</Trans>
      </ButtonLink>
    </Flex>
  )
}

// Without their code the page has its lists.
const OwnOverview = lazyPart(() => import('@/features/home/OwnOverview'))
const News = lazyPart(() => import('@/features/inbox/News'))

/** What is new for the player who is logged in, in the place of the introduction. */
function Welcome({ user }: { user: User }) {
  return (
    <Stack gap="4">
      <Flex wrap="wrap" justify="space-between" align="center" gap="4">
        <PageHeading>
          <Trans>
            Welcome back, <Name>{user.name}</Name>
          </Trans>
        </PageHeading>
        <Explore />
      </Flex>
      <Grid
        columns={{ base: 1, md: 2, lg: 3 }}
        columnGap="8"
        rowGap="5"
        minH={{ base: '22rem', md: '15rem', lg: '32' }}
        alignItems="start"
        alignContent="start"
      >
        <LazyParts fallback={<Skeleton h="28" rounded="l3" />}>
          <OwnOverview user={user} />
          <Box gridColumn={{ md: '1 / -1', lg: 'auto' }}>
            <News />
          </Box>
        </LazyParts>
      </Grid>
    </Stack>
  )
}

/** Invites visitors to log in. */
function JoinCommunity() {
  return (
    <Flex
      as="section"
      direction={{ base: 'column', md: 'row' }}
      justify="space-between"
      align={{ md: 'center' }}
      gap="5"
      p={{ base: '5', md: '8' }}
      borderWidth="1px"
      rounded="l3"
      bg="bg.panel"
    >
      <Stack gap="2" maxW="2xl">
        <Heading as="h2" textStyle="2xl">{t`Join the community`}</Heading>
        <Text color="fg.muted">
          {t`Prove your ${config.game.name} account with a code, without a password, and race for a place on the leaderboards.`}
        </Text>
      </Stack>
      <ButtonLink to={paths.login} size="lg" alignSelf={{ base: 'flex-start', md: 'center' }}>
        {t`Login with ${config.game.name}`}
      </ButtonLink>
    </Flex>
  )
}
