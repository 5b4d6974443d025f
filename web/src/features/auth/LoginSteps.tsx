import { cx } from '@/shared/lib/cx'
import text from '@/shared/theme/text.module.css'
import styles from './LoginSteps.module.css'

// LoginSteps explains a login before it begins.
export function LoginSteps({ game }: { game: string }) {
  return (
    <section>
      <h2 className={text.subheading}>How it works</h2>
      <ol className={cx(styles.steps, text.muted)}>
        <li>Join the verification room with your {game} account. It opens in a new tab.</li>
        <li>The bot in the room tells you a code of six digits. Keep it to yourself.</li>
        <li>Come back to this page and enter the code.</li>
      </ol>
    </section>
  )
}
