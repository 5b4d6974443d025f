import { Button, Flex, Heading, SimpleGrid, Stack, Text } from '@chakra-ui/react'
import { useSearchMapsQuery } from '@/shared/api'
import { problemText } from '@/shared/api/problem'
import { EmptyState } from '@/shared/components/EmptyState'
import { NameSearch } from '@/shared/components/NameSearch'
import { Pager } from '@/shared/components/Pager'
import { ProblemAlert } from '@/shared/components/ProblemAlert'
import { useProblemToast } from '@/shared/lib/useProblemToast'
import { ActiveFilters } from './ActiveFilters'
import { MapCard, MapCardSkeleton } from './MapCard'
import { MapFilters } from './MapFilters'
import { SortMenu, ViewToggle } from './MapSearchBar'
import { MapTable } from './MapTable'
import { isFiltered, PAGE_SIZE, toRequest } from './searchSettings'
import { useMapSearch, useMapView } from './useMapSearch'

export function MapSearch() {
  const { settings, change, clear } = useMapSearch()
  const [view, setView] = useMapView()
  const { currentData, isFetching, error, refetch } = useSearchMapsQuery(toRequest(settings))
  const filtered = isFiltered(settings)
  useProblemToast(
    error,
    filtered
      ? { failed: 'Failed to search maps', broken: 'Error searching maps' }
      : { failed: 'Failed to fetch maps', broken: 'Error fetching maps' },
  )

  const goTo = (page: number) => {
    change({ page })
    scrollTo({ top: 0 })
  }
  const maps = currentData?.data
  const loading = !maps && (isFetching || !error)
  return (
    <Stack gap="4">
      <Flex gap="2" wrap="wrap">
        <NameSearch
          name={settings.name}
          onSearch={(name) => change({ name })}
          label="Map name"
          placeholder="Search maps by name"
          maxLength={100}
        />
        <MapFilters
          settings={settings}
          onChange={change}
          onClear={() => change({ author: '', gameMode: '', tags: [] })}
        />
        <SortMenu settings={settings} onChange={change} />
        <ViewToggle view={view} onView={setView} />
      </Flex>
      <ActiveFilters settings={settings} onChange={change} />
      <Heading as="h2" srOnly>
        Maps
      </Heading>
      <Text role="status" textStyle="sm" color="fg.muted" minH="5">
        {loading && 'Loading maps...'}
        {maps && maps.length > 0 && countText(currentData.pagination.total)}
      </Text>
      {error && !loading ? (
        <ProblemAlert text={problemText(error, filtered ? SEARCH_FAILED : FETCH_FAILED)} onRetry={refetch} />
      ) : maps?.length === 0 ? (
        <EmptyState
          title="No maps found."
          hint={filtered ? 'Fewer filters find more.' : 'The first map is still to come.'}
        >
          <Button variant="outline" onClick={clear}>
            Clear all filters
          </Button>
        </EmptyState>
      ) : view === 'cards' ? (
        <SimpleGrid
          columns={{ base: 2, md: 3, lg: 4, xl: 6 }}
          gap={{ base: '3', md: '4' }}
          aria-busy={loading}
        >
          {maps
            ? maps.map((map, i) => <MapCard key={map._id} map={map} eager={i < COLUMNS} />)
            : Array.from({ length: PAGE_SIZE }, (_, i) => i).map((i) => <MapCardSkeleton key={i} />)}
        </SimpleGrid>
      ) : (
        <MapTable maps={maps} skeletonRows={PAGE_SIZE} />
      )}
      <Pager
        page={settings.page}
        pages={currentData?.pagination.pages ?? 1}
        label="Pages of maps"
        onPage={goTo}
      />
    </Stack>
  )
}

// The most that the grid has.
const COLUMNS = 6

const FETCH_FAILED = { failed: 'Failed to fetch maps', broken: 'Failed to fetch maps' }
const SEARCH_FAILED = { failed: 'Search failed', broken: 'Search failed' }

const countText = (total: number) => (total === 1 ? '1 map' : `${total.toLocaleString('en-GB')} maps`)
