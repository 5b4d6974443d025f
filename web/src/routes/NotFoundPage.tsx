import { ButtonLink } from '@/shared/components/Button'
import { PageHeading } from '@/shared/components/PageHeading'
import { Stack } from '@/shared/components/Stack'
import { usePageTitle } from '@/shared/lib/usePageTitle'
import text from '@/shared/theme/text.module.css'
import styles from './NotFoundPage.module.css'

export function Component() {
  usePageTitle('Page Not Found')
  return (
    <Stack gap={4} centred className={styles.page}>
      <p className={styles.number}>404</p>
      <PageHeading>Page Not Found</PageHeading>
      <p className={text.muted}>You jumped past the last platform. There is nothing at this address.</p>
      <ButtonLink to="/">Return to Home</ButtonLink>
    </Stack>
  )
}
