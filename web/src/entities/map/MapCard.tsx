import { styled } from 'styled-system/jsx'
import type { ParkourMap } from '@/api'
import { Avatar } from '@/entities/player/Avatar'
import { paths } from '@/routes/paths'
import { Badge, Box, Flex, Heading, Skeleton, Stack } from '@/ui'
import { countText } from '@/ui/countText'
import { DateTime } from '@/ui/DateTime'
import { PageLink, RouteLink } from '@/ui/PageLink'
import { MapPicture } from './MapPicture'

const Card = styled('article', {
  base: {
    position: 'relative',
    overflow: 'hidden',
    minW: '0',
    borderWidth: '1px',
    rounded: 'l3',
    bg: 'bg.panel',
    shadow: 'card',
    transitionProperty: 'transform, border-color',
    transitionDuration: '0.15s',
    '&:is(article):hover': { borderColor: 'brand.border', transform: 'translateY(-2px)' },
    _focusWithin: { outline: '2px solid', outlineColor: 'brand.focusRing', outlineOffset: '2px' },
  },
})

// The link of the name covers the card.
const Cover = styled(RouteLink, {
  base: { outline: 'none', _before: { content: '""', position: 'absolute', inset: '0' } },
})

interface Props {
  map: ParkourMap
  /** For cards that are visible without scrolling: their picture is loaded at once. */
  eager?: boolean
}

/** A map in a grid. The card links to the leaderboard, the author's name to the profile. */
export function MapCard({ map, eager }: Props) {
  return (
    <Card>
      <MapPicture src={map.thumbnailUrl} eager={eager} />
      <Stack gap="1.5" p="3">
        <Heading as="h3" textStyle="md" fontWeight="bold" lineHeight="1.25" truncate>
          <Cover to={paths.leaderboard(map._id)} title={map.name}>
            {map.name}
          </Cover>
        </Heading>
        <PageLink
          to={paths.player(map.author._id)}
          position="relative"
          alignSelf="flex-start"
          maxW="full"
          minH="6"
          gap="1.5"
          textStyle="sm"
          color="fg.muted"
        >
          <Avatar player={map.author} size={5} />
          <styled.span truncate>{map.author.name}</styled.span>
        </PageLink>
        <Flex align="center" justify="space-between" wrap="wrap" gap="1" textStyle="xs" color="fg.muted">
          <Badge colorPalette="brand">{map.gameMode}</Badge>
          <span>{countText(map.recordCount, 'record')}</span>
        </Flex>
        <Box textStyle="xs" color="fg.muted">
          <DateTime iso={map.createdAt} />
        </Box>
      </Stack>
    </Card>
  )
}

/** Has the size of a card, so that nothing moves when the map is loaded. */
export function MapCardSkeleton() {
  return (
    <Card aria-hidden="true">
      <Skeleton aspectRatio="3/2" rounded="none" />
      <Stack gap="1.5" p="3">
        <Skeleton h="5" w="80%" />
        <Skeleton h="6" w="60%" />
        <Skeleton h="5" w="70%" />
        <Skeleton h="4" w="45%" />
      </Stack>
    </Card>
  )
}
