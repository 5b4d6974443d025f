import { type ReactNode, useEffect } from 'react'
import { Provider } from 'react-redux'
import { watchColourMode } from '@/shared/theme/colourMode'
import type { AppStore } from './store'
import { ToastOutlet } from './ToastOutlet'

// Providers are what every page stands on.
export function Providers({ store, children }: { store: AppStore; children: ReactNode }) {
  useEffect(watchColourMode, [])
  return (
    <Provider store={store}>
      {children}
      <ToastOutlet />
    </Provider>
  )
}
