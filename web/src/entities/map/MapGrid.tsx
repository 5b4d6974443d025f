import type { ParkourMap } from '@/api'
import { Grid } from '@/ui'
import { range } from '@/ui/range'
import { MapCard, MapCardSkeleton } from './MapCard'

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

/** A row of up to 4 maps. */
export function MapRow(props: Props) {
  return (
    <Grid columns={{ base: 2, md: 4 }} gap={{ base: '3', md: '4' }} aria-busy={!props.maps}>
      <Cards {...props} />
    </Grid>
  )
}

function Cards({ maps, skeletons, eager = 0 }: Props) {
  return maps
    ? maps.map((map, i) => <MapCard key={map._id} map={map} eager={i < eager} />)
    : range(skeletons).map((i) => <MapCardSkeleton key={i} />)
}
