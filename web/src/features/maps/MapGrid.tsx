import type { ParkourMap } from '@/shared/api'
import { cx } from '@/shared/lib/cx'
import { MapCard, MapCardSkeleton } from './MapCard'
import styles from './MapGrid.module.css'

interface Props {
  // Undefined while they load.
  maps: ParkourMap[] | undefined
  skeletons: number
  // A short grid has one row of four.
  short?: boolean
  // How many of the cards a visitor sees without scrolling.
  eager?: number
}

// MapGrid is a grid of maps, of up to 6 columns.
export function MapGrid({ maps, skeletons, short, eager = 0 }: Props) {
  return (
    <div className={cx(styles.grid, short ? styles.short : styles.full)} aria-busy={!maps}>
      {maps
        ? maps.map((map, i) => <MapCard key={map._id} map={map} eager={i < eager} />)
        : Array.from({ length: skeletons }, (_, i) => i).map((i) => <MapCardSkeleton key={i} />)}
    </div>
  )
}
