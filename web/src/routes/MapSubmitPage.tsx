import { Heading } from '@chakra-ui/react'
import { usePageTitle } from '@/shared/lib/usePageTitle'

export function Component() {
  usePageTitle('Map Submit')
  return <Heading as="h1">Map Submit</Heading>
}
