import type { Medal } from '@/shared/lib/medals'
import { MedalIcon } from './MedalIcon'
import { RaceTime } from './RaceTime'
import styles from './RunTime.module.css'

// RunTime is a finish time with the medal that it earned.
export function RunTime({ ms, medal }: { ms: number; medal: Medal | null | undefined }) {
  return (
    <span className={styles.run}>
      <RaceTime ms={ms} />
      {medal && <MedalIcon medal={medal} size={5} />}
    </span>
  )
}
