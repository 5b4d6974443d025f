import { useGetStatsQuery } from '@/shared/api'
import { MapIcon, TimerIcon, UsersIcon } from '@/shared/components/icons'
import { Skeleton } from '@/shared/components/Skeleton'
import styles from './StatCounters.module.css'
import { useLoggedProblem } from './useLoggedProblem'

export function StatCounters() {
  const { data, error } = useGetStatsQuery()
  useLoggedProblem('Failed to load the totals', error)
  const counters = [
    { label: 'Total Maps', value: data?.data.totalMaps, Icon: MapIcon },
    { label: 'Registered Players', value: data?.data.totalPlayers, Icon: UsersIcon },
    { label: 'Submitted Records', value: data?.data.totalRecords, Icon: TimerIcon },
  ]
  return (
    <dl className={styles.counters}>
      {counters.map(({ label, value, Icon }) => (
        <div key={label} className={styles.counter}>
          <dt className={styles.label}>
            <Icon size={4} className={styles.icon} />
            {label}
          </dt>
          <dd className={styles.figure}>
            {value !== undefined ? (
              value.toLocaleString('en-GB')
            ) : error ? (
              '–'
            ) : (
              <Skeleton h="2rem" w="5rem" />
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
