import { config } from '@/config'
import { LoginButton } from '@/entities/player/LoginButton'
import { paths } from '@/routes/paths'
import { useSession } from '@/store/useSession'
import { Button, Flex, Heading, Stack, Text } from '@/ui'
import { RouteLink } from '@/ui/PageLink'

/** Invites visitors to log in, and players to submit a record. */
export function JoinCommunity() {
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
          Join the community
        </Heading>
        <Text color="fg.muted">
          {user
            ? `You are in, ${user.name}. Record your next race with the replay mod and submit it.`
            : `Prove your ${config.game.name} account with a code, without a password, and race for a place on the leaderboards.`}
        </Text>
      </Stack>
      {user ? (
        <Button asChild size="lg" alignSelf={{ base: 'flex-start', md: 'center' }}>
          <RouteLink to={paths.recordSubmit}>Submit Record</RouteLink>
        </Button>
      ) : (
        <LoginButton size="lg" />
      )}
    </Flex>
  )
}
