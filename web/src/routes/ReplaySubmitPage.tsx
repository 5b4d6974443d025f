import { Heading } from '@chakra-ui/react'
import { usePageTitle } from '@/shared/lib/usePageTitle'

export function Component() {
  usePageTitle('Replay Submit')
  return <Heading as="h1">Replay Submit</Heading>
}
