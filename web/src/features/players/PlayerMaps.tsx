import { Button, Flex, Heading, SimpleGrid } from '@chakra-ui/react'
import { useState } from 'react'
import { MapCard, MapCardSkeleton } from '@/features/maps/MapCard'
import { useSearchMapsQuery } from '@/shared/api'
import { problemMessage } from '@/shared/api/problem'
import { EmptyState } from '@/shared/components/EmptyState'
import { ProblemAlert } from '@/shared/components/ProblemAlert'

const STEP = 12
const MOST = 96

// PlayerMaps shows what a player has built, newest first; a button shows more.
export function PlayerMaps({ playerId }: { playerId: string }) {
  const [limit, setLimit] = useState(STEP)
  const { data, error, refetch, isFetching } = useSearchMapsQuery({
    authorId: playerId,
    limit,
    sortBy: 'createdAt',
    sortDir: 'desc',
  })
  const maps = data?.data
  return (
    <section>
      <Heading as="h2" textStyle="2xl" mb="4">
        Maps
      </Heading>
      {error && !maps ? (
        <ProblemAlert text={problemMessage(error, 'Failed to fetch maps')} onRetry={refetch} />
      ) : maps?.length === 0 ? (
        <EmptyState title="No maps yet." hint="Maps that the player has made are shown here." />
      ) : (
        <SimpleGrid columns={{ base: 2, md: 3, lg: 4, xl: 6 }} gap={{ base: '3', md: '4' }}>
          {maps
            ? maps.map((map) => <MapCard key={map._id} map={map} />)
            : Array.from({ length: 4 }, (_, i) => i).map((i) => <MapCardSkeleton key={i} />)}
        </SimpleGrid>
      )}
      {data && data.pagination.total > limit && limit < MOST && (
        <Flex justify="center" mt="4">
          <Button variant="outline" loading={isFetching} onClick={() => setLimit(limit + STEP)}>
            More maps
          </Button>
        </Flex>
      )}
    </section>
  )
}
