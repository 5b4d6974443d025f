import { useState } from 'react'
import { Navigate, useLocation } from 'react-router'
import { config } from '@/config'
import { LoginRoom } from '@/features/login/LoginRoom'
import { LoginSteps } from '@/features/login/LoginSteps'
import { returnPathOf } from '@/session/returnPath'
import { useSession } from '@/store/useSession'
import { Box, Stack, Text } from '@/ui'
import { PageHeading } from '@/ui/PageHeading'
import { usePageTitle } from '@/ui/usePageTitle'
import { paths } from './paths'

export default function LoginPage() {
  usePageTitle(`Login with ${config.game.name}`)
  const user = useSession()
  const { state } = useLocation()
  // A player who logs in on this page sees the confirmation first.
  const [wasLoggedIn] = useState(user !== null)
  if (wasLoggedIn) return <Navigate to={returnPathOf(state) ?? paths.home} replace />
  return (
    <Stack gap="8" maxW="xl" mx="auto">
      <Stack gap="2" align="center" textAlign="center">
        <PageHeading>Login with {config.game.name}</PageHeading>
        <Text color="fg.muted">No password: you show in the game itself that the account is yours.</Text>
      </Stack>
      <Box p={{ base: '5', md: '8' }} borderWidth="1px" rounded="l3" bg="bg.panel" shadow="card">
        <LoginRoom />
      </Box>
      <LoginSteps game={config.game.name} />
    </Stack>
  )
}
