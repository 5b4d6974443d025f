import { ChakraProvider } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { getSystem } from './theme/system'

/**
 * Gives the Chakra components inside it their theme. Creating the theme takes a while: this belongs into code that is
 * loaded on demand, and never around what a page shows at first.
 */
export function WithChakra({ children }: { children: ReactNode }) {
  return <ChakraProvider value={getSystem()}>{children}</ChakraProvider>
}
