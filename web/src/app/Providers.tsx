import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { type ComponentType, useEffect, useState } from 'react'
import { Provider } from 'react-redux'
import type { AppStore } from '@/store/store'
import { type Elements, Sentence } from '@/ui'
import { watchColourMode } from '@/ui/theme/colourMode'
import { useToastsQueued } from '@/ui/toaster'

/** What every page needs around it. */
export function Providers({ store, children }: { store: AppStore; children: Elements }) {
  useEffect(watchColourMode, [])
  return (
    <Provider store={store}>
      <I18nProvider i18n={i18n} defaultComponent={Sentence}>
        {children}
        <ToasterOnDemand />
      </I18nProvider>
    </Provider>
  )
}

// After a page has been shown, and before it is needed: the toast that the server is away cannot be fetched from it.
const LOAD_AFTER_MS = 8000

const loadToasts = () => import('@/ui/more/Toasts')

/** Shows toasts. Its code is loaded with the first of them, or some seconds after the page. */
export function ToasterOnDemand() {
  const queued = useToastsQueued()
  const [Toasts, setToasts] = useState<ComponentType | null>(null)

  useEffect(() => {
    const timer = setTimeout(() => void loadToasts().catch(onLoadError), LOAD_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])

  useEffect(() => {
    if (!queued) return
    loadToasts().then((loaded) => setToasts(() => loaded.Toasts), onLoadError)
  }, [queued])

  return Toasts && <Toasts />
}

// What a toast says is on the page as well, except for the confirmation of a logout.
function onLoadError(error: unknown): void {
  console.error('The code of the toasts could not be loaded.', error)
}
