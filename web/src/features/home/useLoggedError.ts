import { useEffect } from 'react'
import type { QueryError } from '@/api/error'

/** Writes an error to the console: on the home page failed requests raise no toast. */
export function useLoggedError(what: string, error: QueryError): void {
  useEffect(() => {
    if (error) console.error(what, error)
  }, [what, error])
}
