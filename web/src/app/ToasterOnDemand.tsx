import { type ComponentType, useEffect, useState } from 'react'
import { toaster } from '@/ui/toaster'

// Before it is needed: the toast that the server is away cannot be fetched from it.
const LOAD_AFTER_MS = 8000

const loadToasts = () => import('@/ui/Toasts')

/** Shows toasts. Its code is loaded with the first of them, or some seconds after the page. */
export function ToasterOnDemand() {
  const [Toasts, setToasts] = useState<ComponentType | null>(null)
  useEffect(() => {
    const show = () => loadToasts().then((loaded) => setToasts(() => loaded.default), onLoadError)
    const timer = setTimeout(() => loadToasts().catch(onLoadError), LOAD_AFTER_MS)
    const unsubscribe = toaster.subscribe(show)
    if (toaster.getCount() > 0) void show()
    return () => {
      clearTimeout(timer)
      unsubscribe()
    }
  }, [])
  return Toasts && <Toasts />
}

// The page has what a toast says as well, except for the confirmation of a logout.
function onLoadError(error: unknown): void {
  console.error('The code of the toasts could not be loaded.', error)
}
