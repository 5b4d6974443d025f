import { Button, Heading, Stack, Text } from '@chakra-ui/react'
import { useEffect } from 'react'
import { useRouteError } from 'react-router'
import { ServerAway } from '@/shared/components/ServerAway'

// RouteError stands in for a page that failed: one whose code could not be fetched, or one that broke while drawing.
export function RouteError() {
  const error = useRouteError()
  useEffect(() => console.error(error), [error])
  if (isMissingChunk(error)) return <ServerAway onBack={() => location.reload()} />
  return (
    <Stack gap="4" align="center" textAlign="center" py="16" role="alert">
      <Heading as="h1" size="3xl">
        Something went wrong
      </Heading>
      <Text color="fg.muted">This page broke. Loading it again usually helps.</Text>
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
