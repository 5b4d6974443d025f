import { Heading } from '@chakra-ui/react'
import { usePageTitle } from '@/shared/lib/usePageTitle'

export function Component() {
  usePageTitle('Home')
  return <Heading as="h1">Home</Heading>
}
