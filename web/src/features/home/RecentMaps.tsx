import { MapGrid } from '@/features/maps/MapGrid'
import { useSearchMapsQuery } from '@/shared/api'
import { problemStatus } from '@/shared/api/problem'
import { EmptyState } from '@/shared/components/EmptyState'
import { TextLink } from '@/shared/components/TextLink'
import { SectionHeading } from './SectionHeading'
import { useLoggedProblem } from './useLoggedProblem'

const SHOWN = 4

export function RecentMaps() {
  const { data, error } = useSearchMapsQuery({
    limit: SHOWN,
    sortBy: 'createdAt',
    sortDir: 'desc',
  })
  const answered = typeof problemStatus(error) === 'number'
  useLoggedProblem(answered ? 'Failed to load recent maps' : 'Error fetching recent maps', error)
  return (
    <section>
      <SectionHeading aside={<TextLink to="/map-search">View All Maps</TextLink>}>Recent Maps</SectionHeading>
      {data?.data.length === 0 || (error && !data) ? (
        <EmptyState title="No maps found." />
      ) : (
        <MapGrid maps={data?.data} skeletons={SHOWN} short />
      )}
    </section>
  )
}
