import { type ReactNode, useEffect } from 'react'
import { Provider } from 'react-redux'
import type { AppStore } from '@/store/store'
import { watchColourMode } from '@/ui/theme/colourMode'
import { ToasterOnDemand } from './ToasterOnDemand'

/** What every page needs around it. */
export function Providers({ store, children }: { store: AppStore; children: ReactNode }) {
  useEffect(watchColourMode, [])
  return (
    <Provider store={store}>
      {children}
      <ToasterOnDemand />
    </Provider>
  )
}
