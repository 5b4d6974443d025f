import { config } from '@/config'
import { useServerBack } from '@/shared/api/useServerBack'
import { usePageTitle } from '@/shared/lib/usePageTitle'
import text from '../theme/text.module.css'
import { Button } from './Button'
import { PageHeading } from './PageHeading'
import styles from './ServerAway.module.css'
import { Spinner } from './Spinner'
import { Stack } from './Stack'

// ServerAway fills a page's main part. It says that the server cannot be reached, keeps asking, and calls onBack when it is there again.
export function ServerAway({ onBack }: { onBack: () => void }) {
  usePageTitle('Be right back')
  const ask = useServerBack(true, onBack)
  return (
    <Stack gap={4} centred className={styles.page} role="alert">
      <PageHeading>{config.siteName} is catching its breath</PageHeading>
      <p className={text.muted}>
        The server can't be reached right now. This page keeps trying and goes on by itself.
      </p>
      <Spinner large branded />
      <Button look="outline" onClick={ask}>
        Try now
      </Button>
    </Stack>
  )
}
