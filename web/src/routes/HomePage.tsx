import { Intro } from '@/features/home/Intro'
import { JoinCommunity } from '@/features/home/JoinCommunity'
import { RecentMaps } from '@/features/home/RecentMaps'
import { RecentRecords } from '@/features/home/RecentRecords'
import { StatCounters } from '@/features/home/StatCounters'
import { Stack } from '@/ui'
import { usePageTitle } from '@/ui/usePageTitle'

export default function HomePage() {
  usePageTitle()
  return (
    <Stack gap={{ base: '10', md: '14' }}>
      <Intro />
      <StatCounters />
      <RecentMaps />
      <RecentRecords />
      <JoinCommunity />
    </Stack>
  )
}
