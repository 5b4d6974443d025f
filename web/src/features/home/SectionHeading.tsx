import type { ReactNode } from 'react'
import text from '@/shared/theme/text.module.css'
import styles from './SectionHeading.module.css'

// SectionHeading is a heading with what leads further beside it.
export function SectionHeading({ children, aside }: { children: string; aside?: ReactNode }) {
  return (
    <div className={styles.line}>
      <h2 className={text.heading}>{children}</h2>
      {aside}
    </div>
  )
}
