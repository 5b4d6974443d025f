import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { Navigate, useLocation } from 'react-router'
import { config } from '@/config'
import { LoginRoom } from '@/features/login/LoginRoom'
import { returnPathOf } from '@/session/session'
import { useSession } from '@/store/hooks'
import { Heading, List, Panel, Stack, Text } from '@/ui'
import { PageHeading, usePageTitle } from '@/ui/headings'
import { paths } from './paths'

export default function LoginPage() {
  usePageTitle(t`Login with ${config.game.name}`)
  const user = useSession()
  const { state } = useLocation()
  // A player who logs in on this page sees the confirmation first.
  const [wasLoggedIn] = useState(user !== null)
  if (wasLoggedIn) return <Navigate to={returnPathOf(state) ?? paths.home} replace />
  return (
    <Stack gap="8" maxW="xl" mx="auto">
      <Stack gap="2" align="center" textAlign="center">
        <PageHeading>{t`Login with ${config.game.name}`}</PageHeading>
        <Text color="fg.muted">{t`No password: you show in the game itself that the account is yours.`}</Text>
      </Stack>
      <Panel p={{ base: '5', md: '8' }}>
        <LoginRoom />
      </Panel>
      <LoginSteps />
    </Stack>
  )
}

/** Explains a login before it begins. */
function LoginSteps() {
  return (
    <Stack as="section" gap="3">
      <Heading as="h2" textStyle="lg">{t`How it works`}</Heading>
      <List.Root as="ol" ps="5" gap="1" color="fg.muted">
        <List.Item>
          <Trans>Join the verification room with your {config.game.name} account. It opens in a new tab.</Trans>
        </List.Item>
        <List.Item>{t`The bot in the room tells you a code of six digits. Keep it to yourself.`}</List.Item>
        <List.Item>{t`Come back to this page and enter the code.`}</List.Item>
      </List.Root>
    </Stack>
  )
}
