import { type ComponentType, useEffect, useState } from 'react'
import { useToastsWaiting } from '@/shared/components/toaster'

// Long after a page has come, and before anybody can miss it.
const FETCH_AFTER_MS = 8000

const fetchToasts = () => import('@/shared/chakra/Toasts')

// ToastOutlet shows toasts. Its code comes with the first, or when the page has been there for a while: it must not be
// missing when there is to be told that the server has gone.
export function ToastOutlet() {
  const waiting = useToastsWaiting()
  const [Toasts, setToasts] = useState<ComponentType | null>(null)

  useEffect(() => {
    const timer = setTimeout(() => void fetchToasts().catch(missed), FETCH_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])

  useEffect(() => {
    if (!waiting) return
    fetchToasts().then((loaded) => setToasts(() => loaded.Toasts), missed)
  }, [waiting])

  return Toasts && <Toasts />
}

// What toasts tell stands on the page as well, all but a farewell.
function missed(error: unknown): void {
  console.error('The code of the toasts could not be fetched.', error)
}
