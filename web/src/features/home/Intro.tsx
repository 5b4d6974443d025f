import { config } from '@/config'
import { paths } from '@/routes/paths'
import { Button, Flex, Stack, Text } from '@/ui'
import { MapIcon, UsersIcon } from '@/ui/icons'
import { PageHeading } from '@/ui/PageHeading'
import { RouteLink } from '@/ui/PageLink'

export function Intro() {
  return (
    <Stack gap="5" align="flex-start" maxW="3xl">
      <PageHeading>Find a map. Beat the clock.</PageHeading>
      <Text color="fg.muted" textStyle={{ base: 'md', md: 'lg' }}>
        {config.siteName} keeps the parkour maps of {config.game.name} and the fastest records on them. Look for a map
        that suits you, race for its medals, and submit your replay.
      </Text>
      <Flex wrap="wrap" gap="3">
        <Button asChild size="lg">
          <RouteLink to={paths.allMaps}>
            <MapIcon /> Explore Maps
          </RouteLink>
        </Button>
        <Button asChild size="lg" variant="outline">
          <RouteLink to={paths.playerSearch}>
            <UsersIcon /> View Players
          </RouteLink>
        </Button>
      </Flex>
    </Stack>
  )
}
