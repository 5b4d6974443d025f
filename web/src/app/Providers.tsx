import { ChakraProvider } from '@chakra-ui/react'
import { type ReactNode, useEffect } from 'react'
import { Provider } from 'react-redux'
import { Toaster } from '@/shared/components/toaster'
import { watchColourMode } from '@/shared/theme/colourMode'
import { theSystem } from '@/shared/theme/system'
import type { AppStore } from './store'

// Providers are what every page stands on.
export function Providers({ store, children }: { store: AppStore; children: ReactNode }) {
  useEffect(watchColourMode, [])
  return (
    <Provider store={store}>
      <ChakraProvider value={theSystem()}>
        {children}
        <Toaster />
      </ChakraProvider>
    </Provider>
  )
}
