import { msg, plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { lazy, useState } from 'react'
import { useLocation } from 'react-router'
import { type ParkourMap, useSearchMapsQuery } from '@/api'
import { Listing, ListingStatus } from '@/api/Listing'
import { useErrorToast } from '@/api/useErrorToast'
import { config } from '@/config'
import { MapGrid } from '@/entities/map/more/MapGrid'
import { paths } from '@/routes/paths'
import { returnTo } from '@/session/session'
import { useSession } from '@/store/hooks'
import { Button, Flex, Skeleton, Stack, VisuallyHidden } from '@/ui'
import { LazyParts } from '@/ui/lazyPart'
import { ButtonLink, PageLink } from '@/ui/links'
import { range } from '@/ui/lists'
import { EmptyMessage } from '@/ui/messages'
import { NameSearch } from '@/ui/more/NameSearch'
import { NumberedPagination } from '@/ui/more/NumberedPagination'
import { ActiveFilters } from './ActiveFilters'
import { MapFilters } from './MapFilters'
import {
  isFiltered,
  isOwn,
  type MapView,
  noFilters,
  PAGE_SIZE,
  readView,
  type SearchSettings,
  storeView,
  toRequest,
  withoutOwn,
} from './queries'
import { SortMenu } from './SortMenu'
import { useMapSearch } from './useMapSearch'
import { ViewToggle } from './ViewToggle'

const fetchMessages = { refused: msg`Failed to fetch maps`, unreachable: msg`Error fetching maps` }
const searchMessages = { refused: msg`Failed to search maps`, unreachable: msg`Error searching maps` }

// A phone shows two whole cards; the gateway names their pictures in the document.
const VISIBLE_CARDS = 2

// The cards stand in for the list where its code cannot be loaded.
const MapTable = lazy(() => import('./MapTable').catch(() => ({ default: Cards })))

function Cards({ maps }: { maps: ParkourMap[] | undefined }) {
  return <MapGrid maps={maps} skeletons={PAGE_SIZE} eager={VISIBLE_CARDS} />
}

function Rows() {
  return (
    <Stack gap="3" role="status" aria-label={t`Loading the list`}>
      {range(PAGE_SIZE).map((i) => (
        <Skeleton key={i} h="8" />
      ))}
    </Stack>
  )
}

export function MapSearch() {
  const { settings, change } = useMapSearch()
  const [view, setView] = useState<MapView>(readView)
  const { pathname, search } = useLocation()
  const loginMissing = useSession() === null && isOwn(settings)
  const query = useSearchMapsQuery(toRequest(settings), { skip: loginMissing })
  const filtered = isFiltered(settings)
  useErrorToast(query.error, filtered ? searchMessages : fetchMessages)
  return (
    <Stack gap="4">
      <Flex wrap="wrap" gap="2">
        <NameSearch
          name={settings.name}
          onSearch={(name) => change({ name })}
          label={t`Map name`}
          placeholder={t`Search maps by name`}
          maxLength={100}
        />
        <MapFilters settings={settings} onChange={change} />
        <SortMenu settings={settings} onChange={change} />
      </Flex>
      <ActiveFilters settings={settings} onChange={change} />
      <VisuallyHidden as="h2">{t`Maps`}</VisuallyHidden>
      {loginMissing ? (
        <EmptyMessage
          title={t`Log in to search by your own times.`}
          hint={t`This filter or order shows where you stand on each map.`}
        >
          <ButtonLink to={paths.login} state={returnTo(pathname + search)}>
            <Trans>Login with {config.game.name}</Trans>
          </ButtonLink>
          <Button variant="outline" onClick={() => change(withoutOwn(settings))}>{t`Search without my times`}</Button>
        </EmptyMessage>
      ) : (
        <>
          <Flex justify="space-between" align="center" gap="3">
            <ListingStatus
              query={query}
              loading={t`Loading maps...`}
              total={(count) => plural(count, { one: '# map', other: '# maps' })}
            />
            <Flex align="center" gap={{ base: '1', md: '3' }}>
              <PageLink
                to={paths.listedMaps}
                textStyle={{ base: 'xs', md: 'sm' }}
                textAlign="end"
              >{t`Maps without a replay`}</PageLink>
              <ViewToggle
                view={view}
                onView={(chosen) => {
                  setView(chosen)
                  storeView(chosen)
                }}
              />
            </Flex>
          </Flex>
          <Listing
            query={query}
            pages={{
              Pagination: NumberedPagination,
              page: settings.page,
              label: t`Pages of maps`,
              pastEnd: t`This page is past the last map.`,
              onPage: (page) => change({ page }, 'top'),
            }}
            messages={filtered ? t`Search failed` : t`Failed to fetch maps`}
            empty={
              <EmptyMessage title={t`No maps found.`} hint={emptyHint(settings)}>
                <Button variant="outline" onClick={() => change({ name: '', ...noFilters, ...withoutOwn(settings) })}>
                  <Trans>Clear all filters</Trans>
                </Button>
              </EmptyMessage>
            }
          >
            {(maps) =>
              view === 'cards' ? (
                <Cards maps={maps} />
              ) : (
                <LazyParts fallback={<Rows />}>
                  <MapTable maps={maps} />
                </LazyParts>
              )
            }
          </Listing>
        </>
      )}
    </Stack>
  )
}

function emptyHint(settings: SearchSettings): string {
  if (isFiltered(settings)) return t`Try fewer filters.`
  return isOwn(settings) ? t`You have no times yet to sort maps by.` : t`The first map is still to come.`
}
