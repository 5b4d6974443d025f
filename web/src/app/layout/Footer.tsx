import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { config } from '@/config'
import { LanguageField } from '@/entities/player/LanguageField'
import { paths } from '@/routes/paths'
import { Box, Container, Flex, Stack } from '@/ui'
import { PageLink } from '@/ui/links'
import { Select } from '@/ui/Select'
import { useColourChoice } from '@/ui/theme/colourMode'

export function Footer() {
  return (
    <Box as="footer" mt="12" borderTopWidth="1px" bg="bg.subtle" color="fg.muted" textStyle="sm">
      <Container
        display="flex"
        flexDirection={{ base: 'column', md: 'row' }}
        alignItems={{ md: 'center' }}
        justifyContent="space-between"
        gap="6"
        py="8"
      >
        <Stack gap="1" maxW="2xl" align="flex-start">
          <p>
            <Trans>
              {config.siteName} is a fan-made community site. It is not affiliated with the owners of {config.game.name}
              .
            </Trans>
          </p>
          <Flex wrap="wrap" columnGap="4">
            <PageLink to={paths.privacy} variant="underline" py="1">
              <Trans>Privacy Policy</Trans>
            </PageLink>
            <PageLink to={paths.moderation} variant="underline" py="1">
              <Trans>Moderation</Trans>
            </PageLink>
            <PageLink to={paths.programs} variant="underline" py="1">
              <Trans>For programs</Trans>
            </PageLink>
          </Flex>
        </Stack>
        <Flex
          direction={{ base: 'column', xl: 'row' }}
          alignSelf={{ base: 'flex-start', md: 'auto' }}
          flexShrink="0"
          columnGap="6"
          rowGap="2"
          css={{ '& > label': { justifyContent: 'space-between' } }}
        >
          <LanguageField />
          <ColourChoiceField />
        </Flex>
      </Container>
    </Box>
  )
}

function ColourChoiceField() {
  const [choice, choose] = useColourChoice()
  return (
    <Flex as="label" align="center" gap="2" flex="none">
      <Trans>Colours</Trans>
      <Select
        small
        w="36"
        value={choice}
        choices={{ dark: t`Dark`, light: t`Light`, system: t`Follow system` }}
        onChoose={choose}
      />
    </Flex>
  )
}
