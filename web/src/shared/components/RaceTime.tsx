import { formatTime } from '@/shared/lib/raceTime'
import styles from './RaceTime.module.css'

// RaceTime is a finish time, in digits that stand under each other.
export function RaceTime({ ms }: { ms: number }) {
  return <span className={styles.time}>{formatTime(ms)}</span>
}
