import type { ReactNode } from 'react'
import { cx } from '@/shared/lib/cx'
import styles from './Badge.module.css'

interface Props {
  colour?: 'brand' | 'gray' | 'red' | 'yellow' | 'green' | 'blue' | 'purple'
  look?: 'subtle' | 'solid' | 'outline'
  large?: boolean
  children: ReactNode
}

// Badge is a word or two on a ground of its own.
export function Badge({ colour = 'gray', look = 'subtle', large, children }: Props) {
  return (
    <span className={cx(styles.badge, styles[colour], styles[look], large && styles.large)}>{children}</span>
  )
}
