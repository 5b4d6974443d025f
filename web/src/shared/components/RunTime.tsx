import { Flex } from '@chakra-ui/react'
import type { Medal } from '@/shared/lib/medals'
import { MedalIcon } from './MedalIcon'
import { RaceTime } from './RaceTime'

// RunTime is a finish time with the medal that it earned.
export function RunTime({ ms, medal }: { ms: number; medal: Medal | null | undefined }) {
  return (
    <Flex align="center" gap="2">
      <RaceTime ms={ms} />
      {medal && <MedalIcon medal={medal} size={5} />}
    </Flex>
  )
}
