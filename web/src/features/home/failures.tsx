import { useEffect } from 'react'
import type { QueryError } from '@/api/error'
import { Button } from '@/ui'
import { EmptyMessage } from '@/ui/EmptyMessage'

/** Shows in the place of a list of the home page that could not be loaded. The error itself is only logged. */
export function LoadFailure({ what, onRetry }: { what: string; onRetry: () => unknown }) {
  return (
    <EmptyMessage title={`The ${what} could not be loaded.`}>
      <Button variant="outline" onClick={onRetry}>
        Try again
      </Button>
    </EmptyMessage>
  )
}

/** Writes an error to the console: on the home page failed requests raise no toast. */
export function useLoggedError(what: string, error: QueryError): void {
  useEffect(() => {
    if (error) console.error(what, error)
  }, [what, error])
}
