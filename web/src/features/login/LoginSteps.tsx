import { Heading, List, Stack } from '@/ui'

/** Explains a login before it begins. */
export function LoginSteps({ game }: { game: string }) {
  return (
    <Stack as="section" gap="3">
      <Heading as="h2" textStyle="lg">
        How it works
      </Heading>
      <List.Root as="ol" ps="5" gap="1" color="fg.muted">
        <List.Item>Join the verification room with your {game} account. It opens in a new tab.</List.Item>
        <List.Item>The bot in the room tells you a code of six digits. Keep it to yourself.</List.Item>
        <List.Item>Come back to this page and enter the code.</List.Item>
      </List.Root>
    </Stack>
  )
}
