import type { ParkourMap } from '@/api'
import { idsOf, OwnProgress } from '@/entities/progress/OwnProgress'
import { Box, Grid, Skeleton, Stack, styled } from '@/ui'
import { range } from '@/ui/lists'
import { MapPicture } from '../MapPicture'
import { ModeBadge } from '../ModeBadge'
import { Card, CardAuthor, CardName } from './MapGrid'

/** Maps as pictures with their names, two beside each other. They are undefined while they load. */
export function MapTiles({ maps, skeletons }: { maps: ParkourMap[] | undefined; skeletons: number }) {
  const ids = maps ? idsOf(maps) : ''
  return (
    <Grid columns={2} gap="3" aria-busy={!maps}>
      {maps
        ? maps.map((map) => <MapTile key={map._id} map={map} ids={ids} />)
        : range(skeletons).map((i) => <Skeleton key={i} aspectRatio="3/2" rounded="l3" aria-hidden="true" />)}
    </Grid>
  )
}

// The caption is on the picture, and higher than it where a name is long.
const Over = styled('div', {
  base: { flex: '1', display: 'grid', position: 'relative', bg: 'rgb(6 14 20)', '& > *': { gridArea: '1 / 1' } },
})

const Caption = styled(Stack, {
  base: {
    alignSelf: 'end',
    position: 'relative',
    minW: '0',
    gap: '0.5',
    px: '3',
    pb: '2',
    pt: '10',
    color: 'white',
    bgImage: 'linear-gradient(transparent, rgb(6 14 20 / 0.75) 45%, rgb(6 14 20 / 0.9))',
  },
})

/** A map's picture, which links to the leaderboard, with the map's name, author and mode on it. */
function MapTile({ map, ids }: { map: ParkourMap; ids: string }) {
  return (
    <Card as="article" display="flex" flexDirection="column">
      <Over>
        <MapPicture src={map.thumbnailUrl} eager />
        <Box position="absolute" top="2" insetStart="2">
          <ModeBadge mode={map.gameMode} />
        </Box>
        <Caption>
          <CardName map={map} />
          <CardAuthor map={map} ball={4} textStyle="xs" color="white" />
        </Caption>
      </Over>
      <Box px="3" pb="1.5" _empty={{ display: 'none' }}>
        <OwnProgress map={map} maps={ids} />
      </Box>
    </Card>
  )
}
