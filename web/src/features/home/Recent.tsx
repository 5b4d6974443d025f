import { msg, t } from '@lingui/core/macro'
import { type MapRecord, useListRecordsQuery, useSearchMapsQuery } from '@/api'
import { refusalOf } from '@/api/error'
import { Listing } from '@/api/Listing'
import { LoadFailure, useLoggedError } from '@/api/more/LoadFailure'
import { MapLink } from '@/entities/map/more/MapLink'
import { MapTiles } from '@/entities/map/more/MapTile'
import { mapColumn } from '@/entities/map/more/mapColumn'
import { PlayerName } from '@/entities/player/PlayerName'
import { RecordTime } from '@/entities/record/Time'
import { paths } from '@/routes/paths'
import { Box, type Column, DataTable } from '@/ui'
import { DateTime } from '@/ui/format'
import { PageLink } from '@/ui/links'
import { idOf } from '@/ui/lists'
import { LiveArea, useLiveRows } from '@/ui/live'
import { EmptyMessage } from '@/ui/messages'
import { Ago } from '@/ui/more/Ago'
import { Part } from '@/ui/Part'
import { WhenNear } from '@/ui/WhenNear'
import { RECENT_MAPS, RECENT_RECORDS } from './queries'

export function RecentMaps() {
  const query = useSearchMapsQuery(RECENT_MAPS)
  useLoggedError(refusalOf(query.error) ? 'Failed to load recent maps' : 'Error fetching recent maps', query.error)
  const live = useLiveRows(query.currentData?.data, idOf, 'maps')
  return (
    <Part title={t`Recent Maps`} aside={<PageLink to={paths.allMaps}>{t`View All Maps`}</PageLink>}>
      <Listing
        query={query}
        failed={<LoadFailure title={t`The maps could not be loaded.`} onRetry={query.refetch} />}
        empty={<EmptyMessage title={t`No maps found.`} hint={t`The first map is still to come.`} />}
      >
        {() => (
          <LiveArea live={live} waitingText={t`New map: show`}>
            <MapTiles maps={live.rows} skeletons={RECENT_MAPS.limit} />
          </LiveArea>
        )}
      </Listing>
    </Part>
  )
}

const columns: Column<MapRecord>[] = [
  {
    header: msg`Player`,
    width: '70%',
    // On a phone the map is below its player.
    cell: ({ player, map }) => (
      <>
        <PlayerName player={player} />
        <Box hideFrom="sm" ps="9">
          <MapLink map={map} />
        </Box>
      </>
    ),
  },
  { ...mapColumn, hideBelow: 'sm' },
  {
    header: msg`Time`,
    width: '5rem',
    cell: (record) => (
      <>
        <RecordTime record={record} />
        <Box textStyle="xs" color="fg.muted">
          <DateTime iso={record.createdAt} />{' '}
          <Box as="span" display={{ base: 'block', sm: 'inline' }}>
            <Box as="span" hideBelow="sm" aria-hidden="true">
              ·
            </Box>{' '}
            <Ago iso={record.createdAt} />
          </Box>
        </Box>
      </>
    ),
  },
]

export function RecentRecords() {
  const query = useListRecordsQuery(RECENT_RECORDS)
  useLoggedError('Failed to load recent records', query.error)
  const live = useLiveRows(query.currentData?.data, idOf, 'records')
  return (
    <Part title={t`Recent Records`}>
      <WhenNear minH="17rem">
        <Listing
          query={query}
          failed={<LoadFailure title={t`The records could not be loaded.`} onRetry={query.refetch} />}
          empty={
            <EmptyMessage
              title={t`No recent records found.`}
              hint={t`Submit a replay, and your record is shown here.`}
            />
          }
        >
          {() => (
            <LiveArea live={live} waitingText={t`New record: show`}>
              <DataTable
                label={t`Recent records`}
                columns={columns}
                rows={live.rows}
                idOf={idOf}
                isNew={live.isNew}
                skeletonRows={RECENT_RECORDS.limit}
              />
            </LiveArea>
          )}
        </Listing>
      </WhenNear>
    </Part>
  )
}
