import type { CSSProperties } from 'react'
import { cx } from '@/shared/lib/cx'
import styles from './Skeleton.module.css'

interface Props {
  // CSS lengths of what will stand here; without a height the container decides.
  h?: string
  w?: string
  shape?: 'bar' | 'circle' | 'picture'
}

// Skeleton keeps the place of something that is being loaded.
export function Skeleton({ h, w, shape = 'bar' }: Props) {
  const size: CSSProperties = { height: h, width: w }
  return <span className={cx(styles.skeleton, styles[shape])} style={size} />
}
