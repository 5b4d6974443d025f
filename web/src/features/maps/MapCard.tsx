import { Badge, Box, Flex, Heading, LinkBox, LinkOverlay, Skeleton, Stack, Text } from '@chakra-ui/react'
import { Link } from 'react-router'
import type { Map as ParkourMap } from '@/shared/api'
import { Avatar } from '@/shared/components/Avatar'
import { formatDate } from '@/shared/lib/dates'
import { MapPicture } from './MapPicture'

interface Props {
  map: ParkourMap
  // For cards that a visitor sees without scrolling: their picture comes at once.
  eager?: boolean
}

// MapCard is a map in a grid; all of it leads to the leaderboard.
export function MapCard({ map, eager }: Props) {
  return (
    <LinkBox
      as="article"
      {...card}
      transition="transform 0.15s, border-color 0.15s"
      _hover={{ borderColor: 'brand.border', transform: 'translateY(-2px)' }}
    >
      <MapPicture src={map.thumbnailUrl ?? map.imageUrl} eager={eager} />
      <Stack gap="1.5" p="3">
        <Heading as="h3" textStyle="md" lineHeight="1.25" truncate>
          <LinkOverlay asChild>
            <Link to={`/leaderboard/${map._id}`} title={map.name}>
              {map.name}
            </Link>
          </LinkOverlay>
        </Heading>
        <Flex align="center" gap="1.5" color="fg.muted" textStyle="sm">
          <Avatar player={map.author} size={5} />
          <Text truncate>{map.author.name}</Text>
        </Flex>
        <Flex justify="space-between" align="center" gap="1" textStyle="xs" color="fg.muted" wrap="wrap">
          <Badge colorPalette="brand" variant="subtle">
            {map.gameMode}
          </Badge>
          <span>{formatDate(map.createdAt)}</span>
        </Flex>
      </Stack>
    </LinkBox>
  )
}

// MapCardSkeleton has the size of a card, so that nothing moves when the map comes.
export function MapCardSkeleton() {
  return (
    <Box {...card} aria-hidden="true">
      <Skeleton aspectRatio={3 / 2} rounded="0" />
      <Stack gap="1.5" p="3">
        <Skeleton h="5" w="80%" />
        <Skeleton h="5" w="60%" />
        <Skeleton h="5" w="90%" />
      </Stack>
    </Box>
  )
}

const card = {
  bg: 'bg.panel',
  borderWidth: '1px',
  rounded: 'l3',
  overflow: 'hidden',
  shadow: 'card',
  minW: '0',
} as const
