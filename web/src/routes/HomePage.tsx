import { Stack } from '@chakra-ui/react'
import { Intro } from '@/features/home/Intro'
import { JoinCommunity } from '@/features/home/JoinCommunity'
import { RecentMaps } from '@/features/home/RecentMaps'
import { RecentRecords } from '@/features/home/RecentRecords'
import { StatCounters } from '@/features/home/StatCounters'
import { usePageTitle } from '@/shared/lib/usePageTitle'

export function Component() {
  usePageTitle()
  return (
    <Stack gap={{ base: '10', md: '12' }}>
      <Intro />
      <StatCounters />
      <RecentMaps />
      <RecentRecords />
      <JoinCommunity />
    </Stack>
  )
}
