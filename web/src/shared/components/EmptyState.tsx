import type { ReactNode } from 'react'
import text from '../theme/text.module.css'
import styles from './EmptyState.module.css'
import { Stack } from './Stack'

interface Props {
  title: string
  hint?: string
  children?: ReactNode
}

// EmptyState says that there is nothing here, and what to do about it.
export function EmptyState({ title, hint, children }: Props) {
  return (
    <Stack gap={3} centred className={styles.empty}>
      <svg viewBox="0 0 120 60" width="120" height="60" aria-hidden="true">
        <path
          d="M8 48h40M72 48h40"
          stroke="var(--cz-colors-border-emphasized)"
          strokeWidth="6"
          strokeLinecap="round"
        />
        <path
          d="M34 34Q60 -6 84 30"
          fill="none"
          stroke="var(--cz-colors-fg-subtle)"
          strokeWidth="2"
          strokeDasharray="1 7"
          strokeLinecap="round"
        />
        <circle cx="34" cy="36" r="9" fill="var(--cz-colors-brand-solid)" opacity=".8" />
      </svg>
      <p className={styles.title}>{title}</p>
      {hint && <p className={text.muted}>{hint}</p>}
      {children}
    </Stack>
  )
}
