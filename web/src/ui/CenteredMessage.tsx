import type { ReactNode } from 'react'
import { Stack } from './index'

/** The middle of a page that has a message instead of content. */
export function CenteredMessage({ children, alert }: { children: ReactNode; alert?: boolean }) {
  return (
    <Stack
      gap="4"
      align="center"
      textAlign="center"
      maxW="md"
      mx="auto"
      py="16"
      px="4"
      role={alert ? 'alert' : undefined}
    >
      {children}
    </Stack>
  )
}
