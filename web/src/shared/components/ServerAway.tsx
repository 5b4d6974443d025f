import { Button, Center, Heading, Spinner, Stack, Text } from '@chakra-ui/react'
import { config } from '@/config'
import { useServerBack } from '@/shared/api/useServerBack'
import { usePageTitle } from '@/shared/lib/usePageTitle'

// ServerAway fills a page's main part. It says that the server cannot be reached, keeps asking, and calls onBack when it is there again.
export function ServerAway({ onBack }: { onBack: () => void }) {
  usePageTitle('Be right back')
  const ask = useServerBack(true, onBack)
  return (
    <Center minH="60dvh" px="6" py="16">
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
