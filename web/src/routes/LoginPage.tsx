import { Box, Stack, Text } from '@chakra-ui/react'
import { useState } from 'react'
import { Navigate } from 'react-router'
import { config } from '@/config'
import { LoginRoom } from '@/features/auth/LoginRoom'
import { LoginSteps } from '@/features/auth/LoginSteps'
import { PageHeading } from '@/shared/components/PageHeading'
import { usePageTitle } from '@/shared/lib/usePageTitle'
import { useSession } from '@/shared/session/useSession'

export function Component() {
  usePageTitle(`Login with ${config.game.name}`)
  const user = useSession()
  // Only who was logged in on arrival has no business here; who has just logged in is greeted first.
  const [cameLoggedIn] = useState(user !== null)
  if (cameLoggedIn) return <Navigate to="/" replace />
  return (
    <Stack gap="8" maxW="2xl" mx="auto" w="full">
      <Stack gap="2" textAlign="center">
        <PageHeading>Login with {config.game.name}</PageHeading>
        <Text color="fg.muted">No password: you show in the game itself that the account is yours.</Text>
      </Stack>
      <Box borderWidth="1px" rounded="l3" bg="bg.panel" shadow="card" px={{ base: '4', sm: '8' }} py="8">
        <LoginRoom />
      </Box>
      <LoginSteps game={config.game.name} />
    </Stack>
  )
}
