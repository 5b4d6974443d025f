import { useRef } from 'react'
import { useSearchMapsQuery } from '@/shared/api'
import { problemText } from '@/shared/api/problem'
import { Button } from '@/shared/components/Button'
import { EmptyState } from '@/shared/components/EmptyState'
import { NameSearch } from '@/shared/components/NameSearch'
import { Pager } from '@/shared/components/Pager'
import { ProblemAlert } from '@/shared/components/ProblemAlert'
import { Stack } from '@/shared/components/Stack'
import { countText } from '@/shared/lib/countText'
import { useProblemToast } from '@/shared/lib/useProblemToast'
import text from '@/shared/theme/text.module.css'
import { ActiveFilters } from './ActiveFilters'
import { MapFilters } from './MapFilters'
import { MapGrid } from './MapGrid'
import styles from './MapSearch.module.css'
import { SortMenu, ViewToggle } from './MapSearchBar'
import { MapTable } from './MapTable'
import { isFiltered, PAGE_SIZE, toRequest } from './searchSettings'
import { useMapSearch, useMapView } from './useMapSearch'

export function MapSearch() {
  const { settings, change, clear } = useMapSearch()
  const [view, setView] = useMapView()
  const { currentData, data, isFetching, error, refetch } = useSearchMapsQuery(toRequest(settings))
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
  // The focus goes on from a control that takes itself away.
  const box = useRef<HTMLInputElement>(null)
  const toBox = () => box.current?.focus()
  const clearAll = () => {
    clear()
    toBox()
  }
  const maps = currentData?.data
  const loading = !maps && (isFetching || !error)
  return (
    <Stack gap={4}>
      <div className={styles.bar}>
        <NameSearch
          name={settings.name}
          onSearch={(name) => change({ name })}
          label="Map name"
          placeholder="Search maps by name"
          maxLength={100}
          inputRef={box}
        />
        <MapFilters
          settings={settings}
          onChange={change}
          onClear={() => change({ author: '', gameMode: '', tags: [] })}
        />
        <SortMenu settings={settings} onChange={change} />
        <ViewToggle view={view} onView={setView} />
      </div>
      <ActiveFilters settings={settings} onChange={change} onEmptied={toBox} />
      <h2 className={text.hidden}>Maps</h2>
      <p role="status" className={text.status}>
        {loading && 'Loading maps...'}
        {maps && countText(currentData.pagination.total, 'map')}
      </p>
      {error && !maps && !loading ? (
        <ProblemAlert text={problemText(error, filtered ? SEARCH_FAILED : FETCH_FAILED)} onRetry={refetch} />
      ) : maps?.length === 0 && currentData && currentData.pagination.total > 0 ? (
        <EmptyState title="This page is past the last map.">
          <Button onClick={() => goTo(1)}>First page</Button>
        </EmptyState>
      ) : maps?.length === 0 ? (
        <EmptyState
          title="No maps found."
          hint={filtered ? 'Fewer filters find more.' : 'The first map is still to come.'}
        >
          <Button look="outline" onClick={clearAll}>
            Clear all filters
          </Button>
        </EmptyState>
      ) : view === 'cards' ? (
        <MapGrid maps={maps} skeletons={PAGE_SIZE} eager={COLUMNS} />
      ) : (
        <MapTable maps={maps} skeletonRows={PAGE_SIZE} />
      )}
      <Pager page={settings.page} pages={data?.pagination.pages ?? 1} label="Pages of maps" onPage={goTo} />
    </Stack>
  )
}

// The most that the grid has.
const COLUMNS = 6

const FETCH_FAILED = { failed: 'Failed to fetch maps', broken: 'Failed to fetch maps' }
const SEARCH_FAILED = { failed: 'Search failed', broken: 'Search failed' }
