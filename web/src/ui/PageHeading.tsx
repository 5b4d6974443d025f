import type { ReactNode } from 'react'
import { Box, Heading, Text } from './index'

interface Props {
  children: ReactNode
  /** A sentence under the heading. */
  hint?: string
}

/** The one first-level heading of a page. */
export function PageHeading({ children, hint }: Props) {
  const heading = (
    <Heading as="h1" textStyle={{ base: '3xl', md: '4xl' }} lineHeight="1.15" fontWeight="semibold">
      {children}
    </Heading>
  )
  if (!hint) return heading
  return (
    <Box mb="6">
      {heading}
      <Text mt="1" color="fg.muted">
        {hint}
      </Text>
    </Box>
  )
}
