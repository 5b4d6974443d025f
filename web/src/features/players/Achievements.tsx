import { Badge, Flex, Heading } from '@chakra-ui/react'
import { TrophyIcon } from '@/shared/components/icons'

export function Achievements() {
  return (
    <section>
      <Flex align="center" gap="3">
        <TrophyIcon color="medal.gold" />
        <Heading as="h2" textStyle="2xl">
          Achievements
        </Heading>
        <Badge>Coming Soon</Badge>
      </Flex>
    </section>
  )
}
