import { usePageTitle } from '@/shared/lib/usePageTitle'
import text from '../theme/text.module.css'
import { Badge } from './Badge'
import { ButtonLink } from './Button'
import styles from './ComingSoon.module.css'
import { PageHeading } from './PageHeading'
import { Stack } from './Stack'

// ComingSoon stands where a part of the site will be.
export function ComingSoon({ title, text: words }: { title: string; text: string }) {
  usePageTitle(title)
  return (
    <Stack gap={4} centred className={styles.page}>
      <Badge colour="brand" large>
        Coming Soon
      </Badge>
      <PageHeading>{title}</PageHeading>
      <p className={text.muted}>{words}</p>
      <ButtonLink to="/">Return to Home</ButtonLink>
    </Stack>
  )
}
