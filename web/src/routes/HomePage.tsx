import { Intro } from '@/features/home/Intro'
import { JoinCommunity } from '@/features/home/JoinCommunity'
import { RecentMaps } from '@/features/home/RecentMaps'
import { RecentRecords } from '@/features/home/RecentRecords'
import { StatCounters } from '@/features/home/StatCounters'
import { usePageTitle } from '@/shared/lib/usePageTitle'
import styles from './HomePage.module.css'

export function Component() {
  usePageTitle()
  return (
    <div className={styles.page}>
      <Intro />
      <StatCounters />
      <RecentMaps />
      <RecentRecords />
      <JoinCommunity />
    </div>
  )
}
