import { useState } from 'react'
import { Navigate } from 'react-router'
import { config } from '@/config'
import { LoginRoom } from '@/features/auth/LoginRoom'
import { LoginSteps } from '@/features/auth/LoginSteps'
import { PageHeading } from '@/shared/components/PageHeading'
import { Stack } from '@/shared/components/Stack'
import { usePageTitle } from '@/shared/lib/usePageTitle'
import { useSession } from '@/shared/session/useSession'
import text from '@/shared/theme/text.module.css'
import styles from './LoginPage.module.css'

export function Component() {
  usePageTitle(`Login with ${config.game.name}`)
  const user = useSession()
  // Only who was logged in on arrival has no business here; who has just logged in is greeted first.
  const [cameLoggedIn] = useState(user !== null)
  if (cameLoggedIn) return <Navigate to="/" replace />
  return (
    <Stack gap={8} className={styles.page}>
      <Stack gap={2} centred>
        <PageHeading>Login with {config.game.name}</PageHeading>
        <p className={text.muted}>No password: you show in the game itself that the account is yours.</p>
      </Stack>
      <div className={styles.room}>
        <LoginRoom />
      </div>
      <LoginSteps game={config.game.name} />
    </Stack>
  )
}
