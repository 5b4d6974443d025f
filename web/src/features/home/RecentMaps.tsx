import { useSearchMapsQuery } from '@/api'
import { refusalOf } from '@/api/error'
import { MapRow } from '@/entities/map/MapGrid'
import { paths } from '@/routes/paths'
import { EmptyMessage } from '@/ui/EmptyMessage'
import { Listing } from '@/ui/Listing'
import { PageLink } from '@/ui/PageLink'
import { SectionHeading } from '@/ui/SectionHeading'
import { LoadFailure, useLoggedError } from './failures'
import { RECENT_MAPS } from './queries'

const messages = { refused: 'Failed to load recent maps', unreachable: 'Error fetching recent maps' }

export function RecentMaps() {
  const query = useSearchMapsQuery(RECENT_MAPS)
  useLoggedError(refusalOf(query.error) ? messages.refused : messages.unreachable, query.error)
  return (
    <section>
      <SectionHeading aside={<PageLink to={paths.allMaps}>View All Maps</PageLink>}>Recent Maps</SectionHeading>
      <Listing
        query={query}
        noun="map"
        failed={<LoadFailure what="maps" onRetry={query.refetch} />}
        empty={<EmptyMessage title="No maps found." hint="The first map is still to come." />}
      >
        {(maps) => <MapRow maps={maps} skeletons={RECENT_MAPS.limit} />}
      </Listing>
    </section>
  )
}
