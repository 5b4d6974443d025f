import { SimpleGrid } from '@chakra-ui/react'
import { MapCard, MapCardSkeleton } from '@/features/maps/MapCard'
import { useSearchMapsQuery } from '@/shared/api'
import { problemStatus } from '@/shared/api/problem'
import { EmptyState } from '@/shared/components/EmptyState'
import { TextLink } from '@/shared/components/TextLink'
import { SectionHeading } from './SectionHeading'
import { useLoggedProblem } from './useLoggedProblem'

const SHOWN = 4

export function RecentMaps() {
  const { data, isLoading, error } = useSearchMapsQuery({
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
        <SimpleGrid columns={{ base: 2, md: 4 }} gap={{ base: '3', md: '4' }} aria-busy={isLoading}>
          {data
            ? data.data.map((map) => <MapCard key={map._id} map={map} />)
            : Array.from({ length: SHOWN }, (_, i) => i).map((i) => <MapCardSkeleton key={i} />)}
        </SimpleGrid>
      )}
    </section>
  )
}
