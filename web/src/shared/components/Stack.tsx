import type { ComponentProps } from 'react'
import { cx } from '@/shared/lib/cx'
import styles from './Stack.module.css'

interface Props extends ComponentProps<'div'> {
  as?: 'div' | 'section' | 'article' | 'aside'
  // In the theme's steps of 4 px.
  gap: number
  centred?: boolean
}

// Stack puts things under each other.
export function Stack({ as: Tag = 'div', gap, centred, className, ...props }: Props) {
  return (
    <Tag
      className={cx(styles.stack, centred && styles.centred, className)}
      style={{ gap: `${gap / 4}rem` }}
      {...props}
    />
  )
}
