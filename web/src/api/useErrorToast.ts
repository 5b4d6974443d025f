import { useEffect } from 'react'
import { toaster } from '@/ui/toaster'
import { errorText, type Fallback, type QueryError } from './error'

/** Shows an error as a toast, once, in the server's words where it sent any. */
export function useErrorToast(error: QueryError, messages: Fallback): void {
  const title = error ? errorText(error, messages) : null
  useEffect(() => {
    if (!error || !title) return
    // A toast renders synchronously, which it may not while this effect runs.
    const timer = setTimeout(() => toaster.error({ id: title, title }))
    return () => clearTimeout(timer)
  }, [error, title])
}
