import { msg } from '@lingui/core/macro'
import { paths } from '@/routes/paths'
import { type Column, Name } from '@/ui'
import { PageLink } from '@/ui/links'

/** The column of a table with the map of each row, which links to its leaderboard. */
export const mapColumn: Column<{ map: { _id: string; name: string } }> = {
  header: msg`Map`,
  width: '70%',
  cell: ({ map }) => (
    <PageLink to={paths.leaderboard(map._id)}>
      <Name>{map.name}</Name>
    </PageLink>
  ),
}
