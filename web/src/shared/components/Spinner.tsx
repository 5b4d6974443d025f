import { cx } from '@/shared/lib/cx'
import styles from './Spinner.module.css'

interface Props {
  large?: boolean
  // In the site's colour instead of the text's.
  branded?: boolean
}

// Spinner turns while something is at work; the words beside it say what.
export function Spinner({ large, branded }: Props) {
  return (
    <span
      className={cx(styles.spinner, large && styles.large, branded && styles.branded)}
      aria-hidden="true"
    />
  )
}
