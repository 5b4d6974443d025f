import { Heading } from '@chakra-ui/react'
import { usePageTitle } from '@/shared/lib/usePageTitle'

export function Component() {
  usePageTitle('Not Found')
  return <Heading as="h1">Not Found</Heading>
}
