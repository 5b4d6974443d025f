import { type ReactNode, useLayoutEffect } from 'react'
import { config } from '@/config'
import { Box, type Elements, Flex, Heading, Text } from './basics'

interface PageHeadingProps {
  children: ReactNode
  /** A sentence under it. */
  hint?: string
  /** Its letters, where they may be so many that they are written smaller. */
  length?: number
}

/** The one first-level heading of a page. */
export function PageHeading({ children, hint, length = 0 }: PageHeadingProps) {
  const heading = (
    <Heading
      as="h1"
      textStyle={length > 26 ? { base: 'xl', md: '2xl' } : { base: '3xl', md: '4xl' }}
      lineHeight="1.15"
      fontWeight="semibold"
    >
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

/** A second-level heading with a link or a status beside it. */
export function SectionHeading({ children, aside }: { children: ReactNode; aside?: Elements }) {
  return (
    <Flex align="center" justify="space-between" gap="3" wrap="wrap" minH="10" mb="3">
      <Heading as="h2" textStyle="2xl" fontWeight="semibold">
        {children}
      </Heading>
      {aside}
    </Flex>
  )
}

/** Sets the title of the tab together with what the page shows. Screen readers announce it after a navigation. */
export function usePageTitle(title?: string): void {
  useLayoutEffect(() => {
    document.title = title ? `${title} · ${config.siteName}` : config.siteName
  }, [title])
}
