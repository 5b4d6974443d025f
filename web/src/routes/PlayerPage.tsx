import { Heading } from '@chakra-ui/react'
import { usePageTitle } from '@/shared/lib/usePageTitle'

export function Component() {
  usePageTitle('Player')
  return <Heading as="h1">Player</Heading>
}
