import { Box, Heading, Stack } from '@chakra-ui/react'

// LoginSteps explains a login before it begins.
export function LoginSteps({ game }: { game: string }) {
  return (
    <Box>
      <Heading as="h2" textStyle="lg" mb="2">
        How it works
      </Heading>
      <Stack as="ol" gap="2" color="fg.muted" ps="5" listStyleType="decimal">
        <li>Join the verification room with your {game} account. It opens in a new tab.</li>
        <li>The bot in the room tells you a code of six digits. Keep it to yourself.</li>
        <li>Come back to this page and enter the code.</li>
      </Stack>
    </Box>
  )
}
