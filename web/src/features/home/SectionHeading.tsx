import { Flex, Heading } from '@chakra-ui/react'
import type { ReactNode } from 'react'

// SectionHeading is a heading with what leads further beside it.
export function SectionHeading({ children, aside }: { children: string; aside?: ReactNode }) {
  return (
    <Flex justify="space-between" align="baseline" gap="4" mb="4">
      <Heading as="h2" textStyle="2xl">
        {children}
      </Heading>
      {aside}
    </Flex>
  )
}
