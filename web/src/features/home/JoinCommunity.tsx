import { config } from '@/config'
import { LoginButton } from '@/features/auth/LoginButton'
import { ButtonLink } from '@/shared/components/Button'
import { Stack } from '@/shared/components/Stack'
import { useSession } from '@/shared/session/useSession'
import text from '@/shared/theme/text.module.css'
import styles from './JoinCommunity.module.css'

// JoinCommunity invites visitors to log in, and who has done so to hand in a run.
export function JoinCommunity() {
  const user = useSession()
  return (
    <section className={styles.join}>
      <Stack gap={2} className={styles.words}>
        <h2 className={text.heading}>Join the community</h2>
        <p className={text.muted}>
          {user
            ? `You are in, ${user.name}. Record your next run with the replay mod and hand it in.`
            : `Prove your ${config.game.name} account with a code, without a password, and race for a place on the boards.`}
        </p>
      </Stack>
      {user ? (
        <ButtonLink to="/replay-submit" size="lg" className={styles.way}>
          Submit Record
        </ButtonLink>
      ) : (
        <LoginButton size="lg" className={styles.way} />
      )}
    </section>
  )
}
