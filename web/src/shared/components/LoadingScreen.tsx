import { Center, Spinner, Text } from '@chakra-ui/react'

// LoadingScreen fills the window while there is no page yet.
export function LoadingScreen({ text }: { text: string }) {
  return (
    <Center minH="100dvh" gap="3" role="status">
      <Spinner color="brand.fg" />
      <Text color="fg.muted">{text}</Text>
    </Center>
  )
}
