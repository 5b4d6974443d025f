import { t } from '@lingui/core/macro'
import { useEffect, useState } from 'react'
import { useRouteError } from 'react-router'
import { isServerUp } from '@/api/connection'
import { Button, Text } from '@/ui'
import { PageHeading } from '@/ui/headings'
import { CenteredMessage } from '@/ui/messages'
import { ServerAway } from './ServerAway'

/** Replaces a page that failed: its code could not be loaded, or rendering it threw an error. */
export function RouteError() {
  const error = useRouteError()
  const missing = isMissingChunk(error)
  const [serverAway, setServerAway] = useState(false)
  useEffect(() => console.error(error), [error])
  useEffect(() => {
    if (missing) void isServerUp().then((up) => setServerAway(!up))
  }, [missing])

  if (serverAway) return <ServerAway onBack={() => location.reload()} />
  return (
    <CenteredMessage alert>
      <PageHeading>{missing ? t`This page could not be loaded` : t`Something went wrong`}</PageHeading>
      <Text color="fg.muted">
        {missing
          ? t`The code of this page could not be fetched. The connection was interrupted, or the site has been updated since you opened it.`
          : t`This page broke. Loading it again usually helps.`}
      </Text>
      <Button onClick={() => location.reload()}>{t`Load again`}</Button>
    </CenteredMessage>
  )
}

// Browsers word the failed import of a module differently.
function isMissingChunk(error: unknown): boolean {
  return (
    error instanceof TypeError && /dynamically imported module|importing a module|error loading/i.test(error.message)
  )
}
