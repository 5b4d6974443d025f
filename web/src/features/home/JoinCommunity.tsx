import { Flex, Heading, Stack, Text } from '@chakra-ui/react'
import { config } from '@/config'
import { LoginButton } from '@/features/auth/LoginButton'
import { ButtonLink } from '@/shared/components/ButtonLink'
import { useSession } from '@/shared/session/useSession'

// JoinCommunity invites visitors to log in, and who has done so to hand in a run.
export function JoinCommunity() {
  const user = useSession()
  return (
    <Flex
      as="section"
      align={{ md: 'center' }}
      direction={{ base: 'column', md: 'row' }}
      justify="space-between"
      gap="5"
      p={{ base: '5', md: '8' }}
      rounded="l3"
      bg="brand.subtle"
      borderWidth="1px"
      borderColor="brand.border"
    >
      <Stack gap="2" maxW="2xl">
        <Heading as="h2" textStyle="2xl">
          Join the community
        </Heading>
        <Text color="fg.muted">
          {user
            ? `You are in, ${user.name}. Record your next run with the replay mod and hand it in.`
            : `Prove your ${config.game.name} account with a code, without a password, and race for a place on the boards.`}
        </Text>
      </Stack>
      {user ? (
        <ButtonLink to="/replay-submit" size="lg" alignSelf={{ base: 'flex-start', md: 'center' }}>
          Submit Record
        </ButtonLink>
      ) : (
        <LoginButton size="lg" alignSelf={{ base: 'flex-start', md: 'center' }} />
      )}
    </Flex>
  )
}
