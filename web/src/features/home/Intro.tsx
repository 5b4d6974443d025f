import { Flex, Stack, Text } from '@chakra-ui/react'
import { config } from '@/config'
import { ButtonLink } from '@/shared/components/ButtonLink'
import { MapIcon, UsersIcon } from '@/shared/components/icons'
import { PageHeading } from '@/shared/components/PageHeading'

export function Intro() {
  return (
    <Stack gap="5" align="flex-start" maxW="3xl">
      <PageHeading>Find a map. Beat the clock.</PageHeading>
      <Text textStyle={{ base: 'md', md: 'lg' }} color="fg.muted">
        {config.siteName} keeps the parkour maps of {config.game.name} and the fastest runs through them. Look
        for a map that suits you, race for its medals, and hand in your replay.
      </Text>
      <Flex gap="3" wrap="wrap">
        <ButtonLink to="/map-search" size="lg">
          <MapIcon /> Explore Maps
        </ButtonLink>
        <ButtonLink to="/player-search" size="lg" variant="outline">
          <UsersIcon /> View Players
        </ButtonLink>
      </Flex>
    </Stack>
  )
}
