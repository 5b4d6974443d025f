import { Box, Flex, Heading } from '@chakra-ui/react'
import { Badge } from '@/shared/components/Badge'
import { TrophyIcon } from '@/shared/components/icons'

export function Achievements() {
  return (
    <section>
      <Flex align="center" gap="3">
        <Box color="medal.gold">
          <TrophyIcon />
        </Box>
        <Heading as="h2" textStyle="2xl">
          Achievements
        </Heading>
        <Badge>Coming Soon</Badge>
      </Flex>
    </section>
  )
}
