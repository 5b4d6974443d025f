import { ChakraProvider, type SystemContext } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { theSystem } from '@/shared/theme/system'

let withoutSheet: SystemContext | undefined

// WithChakra gives its theme to the Chakra components inside it. Making the theme takes a while: this belongs into code that
// is loaded when somebody needs it, and never around what a page shows at first.
export function WithChakra({ children }: { children: ReactNode }) {
  // The style sheet of the theme is a file of the site already.
  withoutSheet ??= { ...theSystem(), _global: [] }
  return <ChakraProvider value={withoutSheet}>{children}</ChakraProvider>
}
