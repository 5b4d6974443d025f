import { Box, Container, Flex, NativeSelect, Stack, Text } from '@chakra-ui/react'
import { config } from '@/config'
import { TextLink } from '@/shared/components/TextLink'
import { type ColourChoice, useColourChoice } from '@/shared/theme/colourMode'

export function Footer() {
  return (
    <Box as="footer" mt="12" borderTopWidth="1px" bg="bg.subtle">
      <Container maxW="7xl" py="8">
        <Flex
          gap="6"
          justify="space-between"
          align={{ md: 'center' }}
          direction={{ base: 'column', md: 'row' }}
        >
          <Stack gap="1" maxW="2xl">
            <Text textStyle="sm" color="fg.muted">
              {config.siteName} is a fan-made community site. It is not affiliated with the owners of{' '}
              {config.game.name}.
            </Text>
            <TextLink to="/privacy" textStyle="sm" alignSelf="flex-start">
              Privacy Policy
            </TextLink>
          </Stack>
          <ColourChoiceField />
        </Flex>
      </Container>
    </Box>
  )
}

function ColourChoiceField() {
  const [choice, choose] = useColourChoice()
  return (
    <Flex as="label" align="center" gap="2" textStyle="sm" color="fg.muted">
      Colours
      <NativeSelect.Root size="sm" w="9rem">
        <NativeSelect.Field
          value={choice}
          onChange={(event) => choose(event.currentTarget.value as ColourChoice)}
          color="fg"
          bg="bg.panel"
        >
          <option value="dark">Dark</option>
          <option value="light">Light</option>
          <option value="system">Follow system</option>
        </NativeSelect.Field>
        <NativeSelect.Indicator />
      </NativeSelect.Root>
    </Flex>
  )
}
