import type { ReactNode } from 'react'
import { Flex, Heading } from './index'

/** A second-level heading with a link or a status beside it. */
export function SectionHeading({ children, aside }: { children: string; aside?: ReactNode }) {
  return (
    <Flex align="center" justify="space-between" gap="3" wrap="wrap" minH="10" mb="3">
      <Heading as="h2" textStyle="2xl" fontWeight="semibold">
        {children}
      </Heading>
      {aside}
    </Flex>
  )
}
