import { t } from '@lingui/core/macro'
import { useEffect } from 'react'
import { Button } from '@/ui'
import { EmptyMessage } from '@/ui/messages'
import type { QueryError } from '../error'

/** Shows in the place of a list beside others that could not be loaded. The error itself is only logged. */
export function LoadFailure({ title, onRetry }: { title: string; onRetry: () => unknown }) {
  return (
    <EmptyMessage title={title}>
      <Button variant="outline" onClick={onRetry}>{t`Try again`}</Button>
    </EmptyMessage>
  )
}

/** Writes an error to the console: on the home page failed requests raise no toast. */
export function useLoggedError(what: string, error: QueryError): void {
  useEffect(() => {
    if (error) console.error(what, error)
  }, [what, error])
}
