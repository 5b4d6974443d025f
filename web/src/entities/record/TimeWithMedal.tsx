import { HStack } from '@/ui'
import { MedalIcon } from './MedalIcon'
import type { Medal } from './medals'
import { Time } from './Time'

/** A finish time with the medal that it earned. */
export function TimeWithMedal({ ms, medal }: { ms: number; medal: Medal | null }) {
  return (
    <HStack gap="1.5" as="span">
      <Time ms={ms} />
      {medal && <MedalIcon medal={medal} size={5} />}
    </HStack>
  )
}
