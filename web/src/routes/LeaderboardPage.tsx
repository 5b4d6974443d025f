import { Heading } from '@chakra-ui/react'
import { usePageTitle } from '@/shared/lib/usePageTitle'

export function Component() {
  usePageTitle('Leaderboard')
  return <Heading as="h1">Leaderboard</Heading>
}
