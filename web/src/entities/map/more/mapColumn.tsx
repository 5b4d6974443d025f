import { msg } from '@lingui/core/macro'
import type { Column } from '@/ui'
import { MapLink } from './MapLink'

/** The column of a table with the map of each row, which links to its leaderboard. */
export const mapColumn: Column<{ map: { _id: string; name: string } }> = {
  header: msg`Map`,
  width: '70%',
  cell: ({ map }) => <MapLink map={map} />,
}
