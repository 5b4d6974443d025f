import { Button, Center, Heading, Spinner, Stack, Text } from '@chakra-ui/react'
import { useCallback, useEffect, useRef } from 'react'
import { config } from '@/config'
import { isServerUp } from '@/shared/api/serverHealth'
import { usePageTitle } from '@/shared/lib/usePageTitle'

const ASK_AGAIN_MS = 3000

// ServerAway says that the server cannot be reached, keeps asking, and calls onBack when it is there again.
export function ServerAway({ onBack }: { onBack: () => void }) {
  usePageTitle('Be right back')
  const back = useRef(onBack)
  back.current = onBack

  const ask = useCallback(async () => {
    if (await isServerUp()) back.current()
  }, [])

  useEffect(() => {
    const timer = setInterval(ask, ASK_AGAIN_MS)
    addEventListener('online', ask)
    return () => {
      clearInterval(timer)
      removeEventListener('online', ask)
    }
  }, [ask])

  return (
    <Center minH="60dvh" px="6" py="16" as="main">
      <Stack gap="4" maxW="md" align="center" textAlign="center" role="alert">
        <Heading as="h1" size="3xl">
          {config.siteName} is catching its breath
        </Heading>
        <Text color="fg.muted">
          The server can't be reached right now. This page keeps trying and goes on by itself.
        </Text>
        <Spinner color="brand.fg" />
        <Button variant="outline" onClick={ask}>
          Try now
        </Button>
      </Stack>
    </Center>
  )
}
