import { Button } from './Button'
import { AlertIcon } from './icons'
import styles from './ProblemAlert.module.css'

interface Props {
  text: string
  onRetry?: () => void
}

// ProblemAlert stands where something could not be loaded.
export function ProblemAlert({ text, onRetry }: Props) {
  return (
    <div role="alert" className={styles.alert}>
      <AlertIcon />
      <p className={styles.text}>{text}</p>
      {onRetry && (
        <Button size="sm" look="alarm" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  )
}
