import type { ReactNode } from 'react'
import { Box, type Elements, Stack } from '@/ui'
import { SectionHeading } from '@/ui/headings'

interface Props {
  title: string
  /** A button beside the heading. */
  aside?: Elements
  children: ReactNode
}

/** A part of a page of settings. */
export function Part({ title, aside, children }: Props) {
  return (
    <Box as="section" aria-label={title}>
      <SectionHeading aside={aside}>{title}</SectionHeading>
      <Stack gap="4">{children}</Stack>
    </Box>
  )
}
