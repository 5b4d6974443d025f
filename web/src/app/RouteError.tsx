import { useEffect } from 'react'
import { useRouteError } from 'react-router'
import { Button } from '@/shared/components/Button'
import { PageHeading } from '@/shared/components/PageHeading'
import { ServerAway } from '@/shared/components/ServerAway'
import { Stack } from '@/shared/components/Stack'
import text from '@/shared/theme/text.module.css'
import styles from './RouteError.module.css'

// RouteError stands in for a page that failed: one whose code could not be fetched, or one that broke while drawing.
export function RouteError() {
  const error = useRouteError()
  useEffect(() => console.error(error), [error])
  if (isMissingChunk(error)) return <ServerAway onBack={() => location.reload()} />
  return (
    <Stack gap={4} centred className={styles.page} role="alert">
      <PageHeading>Something went wrong</PageHeading>
      <p className={text.muted}>This page broke. Loading it again usually helps.</p>
      <Button onClick={() => location.reload()}>Load again</Button>
    </Stack>
  )
}

// Browsers word the failed import of a route differently.
function isMissingChunk(error: unknown): boolean {
  return (
    error instanceof TypeError &&
    /dynamically imported module|importing a module|error loading/i.test(error.message)
  )
}
