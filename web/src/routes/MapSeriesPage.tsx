import { Heading } from '@chakra-ui/react'
import { usePageTitle } from '@/shared/lib/usePageTitle'

export function Component() {
  usePageTitle('Map Series')
  return <Heading as="h1">Map Series</Heading>
}
