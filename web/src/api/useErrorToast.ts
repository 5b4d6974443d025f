import { useEffect } from 'react'
import { toaster } from '@/ui/toaster'
import { type ErrorMessages, errorText, type QueryError } from './error'

/** Shows an error as a toast, once, in the server's words where it sent any. */
export function useErrorToast(error: QueryError, messages: ErrorMessages): void {
  const title = error ? errorText(error, messages) : null
  useEffect(() => {
    if (!error || !title) return
    // After the page has rendered: a toaster that is not mounted yet would miss it.
    const timer = setTimeout(() => {
      if (!toaster.isVisible(title)) toaster.error({ id: title, title })
    })
    return () => clearTimeout(timer)
  }, [error, title])
}
