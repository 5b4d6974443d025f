import { plural } from '@lingui/core/macro'
import type { ComponentProps } from 'react'
import { Link } from 'react-router'
import type { ParkourMap } from '@/api'
import { Avatar } from '@/entities/player/Avatar'
import { idsOf, OwnProgress } from '@/entities/progress/OwnProgress'
import { paths } from '@/routes/paths'
import { useSession } from '@/store/hooks'
import { Grid, Heading, Name, Panel, Skeleton, Stack, styled } from '@/ui'
import { DateTime } from '@/ui/format'
import { PageLink } from '@/ui/links'
import { range } from '@/ui/lists'
import { usePainted } from '@/ui/usePainted'
import { MapPicture } from '../MapPicture'
import { ModeBadge } from '../ModeBadge'

interface Props {
  /** Undefined while they load. */
  maps: ParkourMap[] | undefined
  skeletons: number
  /** How many of the cards are visible without scrolling. */
  eager?: number
}

/** A grid of maps in up to 6 columns. */
export function MapGrid(props: Props) {
  return (
    <Grid columns={{ base: 2, md: 3, lg: 4, xl: 6 }} gap={{ base: '3', md: '4' }} aria-busy={!props.maps}>
      <Cards {...props} />
    </Grid>
  )
}

// With data in the document, the pictures of other cards are asked for after the first frame, so that those of the
// visible cards come first.
function Cards({ maps, skeletons, eager = 0 }: Props) {
  const painted = usePainted()
  if (!maps) return range(skeletons).map((i) => <MapCardSkeleton key={i} />)
  const ids = idsOf(maps)
  return maps.map((map, i) => (
    <MapCard key={map._id} map={map} ids={ids} eager={i < eager} waiting={i >= eager && !painted} />
  ))
}

/** The frame of a map. */
export const Card = styled(Panel, {
  base: {
    position: 'relative',
    overflow: 'hidden',
    minW: '0',
    transitionProperty: 'transform, border-color',
    transitionDuration: '0.15s',
    '&:is(article):hover': { borderColor: 'brand.border', transform: 'translateY(-2px)' },
    _focusWithin: { outline: '2px solid', outlineColor: 'brand.focusRing', outlineOffset: '2px' },
  },
})

const Cover = styled(Link, {
  base: { outline: 'none', _before: { content: '""', position: 'absolute', inset: '0' } },
})

/** The name of a map, whose link covers the card. */
export function CardName({ map }: { map: ParkourMap }) {
  return (
    <Heading as="h3" textStyle="md" fontWeight="bold" lineHeight="1.25" overflowWrap="anywhere">
      <Cover to={paths.leaderboard(map._id)}>
        <Name>{map.name}</Name>
      </Cover>
    </Heading>
  )
}

interface CardAuthorProps extends Pick<ComponentProps<typeof PageLink>, 'textStyle' | 'color'> {
  map: ParkourMap
  /** The size of the ball, as an Avatar has it. */
  ball: number
}

/** The author of a map, whose link is above that of the card. */
export function CardAuthor({ map: { author }, ball, ...props }: CardAuthorProps) {
  return (
    <PageLink
      to={paths.player(author._id)}
      position="relative"
      alignSelf="flex-start"
      maxW="full"
      minH="6"
      gap="1.5"
      {...props}
    >
      <Avatar player={author} size={ball} />
      <styled.span minW="0">
        <Name>{author.name}</Name>
      </styled.span>
    </PageLink>
  )
}

// One line: a date for which a narrow card has no room is in a second one, which is not shown.
const Facts = styled('p', {
  base: {
    display: 'flex',
    flexWrap: 'wrap',
    columnGap: '1',
    h: '4',
    overflow: 'hidden',
    textStyle: 'xs',
    color: 'fg.muted',
  },
})

interface CardProps {
  map: ParkourMap
  /** The ids of all maps of the grid. */
  ids: string
  eager?: boolean
  /** The picture is not asked for yet. */
  waiting?: boolean | undefined
}

/** A map in a grid. The card links to the leaderboard, the author's name to the profile. */
export function MapCard({ map, ids, eager, waiting }: CardProps) {
  return (
    <Card as="article">
      <MapPicture src={map.thumbnailUrl} eager={eager} waiting={waiting} />
      <Stack gap="1.5" p="3">
        <CardName map={map} />
        <CardAuthor map={map} ball={5} textStyle="sm" color="fg.muted" />
        <ModeBadge mode={map.gameMode} />
        <Facts>
          <span>{plural(map.recordCount, { one: '# record', other: '# records' })}</span>
          <styled.span whiteSpace="nowrap">
            <span aria-hidden="true">· </span>
            <DateTime iso={map.createdAt} />
          </styled.span>
        </Facts>
        <OwnProgress map={map} maps={ids} />
      </Stack>
    </Card>
  )
}

/** Has the size of a card, so that nothing moves when the map is loaded. */
export function MapCardSkeleton() {
  const user = useSession()
  return (
    <Card as="article" aria-hidden="true">
      <Skeleton aspectRatio="3/2" rounded="none" />
      <Stack gap="1.5" p="3">
        <Skeleton h="5" w="80%" />
        <Skeleton h="6" w="60%" />
        <Skeleton h="5" w="70%" />
        <Skeleton h="4" w="45%" />
        {user && <Skeleton h="12" w="80%" />}
      </Stack>
    </Card>
  )
}
