import { Heading } from '@chakra-ui/react'
import { usePageTitle } from '@/shared/lib/usePageTitle'

export function Component() {
  usePageTitle('Privacy')
  return <Heading as="h1">Privacy</Heading>
}
