import { PageHeading } from './PageHeading'
import styles from './PageTitle.module.css'

// PageTitle is a page's heading with a sentence under it.
export function PageTitle({ title, hint }: { title: string; hint: string }) {
  return (
    <div className={styles.title}>
      <PageHeading>{title}</PageHeading>
      <p className={styles.hint}>{hint}</p>
    </div>
  )
}
