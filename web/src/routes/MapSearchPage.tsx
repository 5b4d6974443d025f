import { Heading } from '@chakra-ui/react'
import { usePageTitle } from '@/shared/lib/usePageTitle'

export function Component() {
  usePageTitle('Map Search')
  return <Heading as="h1">Map Search</Heading>
}
