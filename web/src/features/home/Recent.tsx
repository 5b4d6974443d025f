import { useEffect } from 'react'
import { type MapRecord, useListRecordsQuery, useSearchMapsQuery } from '@/api'
import { type QueryError, refusalOf } from '@/api/error'
import { MapRow } from '@/entities/map/MapGrid'
import { PlayerName } from '@/entities/player/PlayerName'
import { RecordTime } from '@/entities/record/Time'
import { paths } from '@/routes/paths'
import { Box, Button, type Column, DataTable } from '@/ui'
import { DateTime } from '@/ui/format'
import { SectionHeading } from '@/ui/headings'
import { PageLink } from '@/ui/links'
import { Listing } from '@/ui/lists'
import { EmptyMessage } from '@/ui/messages'
import { RECENT_MAPS, RECENT_RECORDS } from './queries'

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

const columns: Column<MapRecord>[] = [
  { header: 'Player', width: '70%', cell: ({ player }) => <PlayerName player={player} /> },
  {
    header: 'Map',
    width: '70%',
    cell: ({ map }) => <PageLink to={paths.leaderboard(map._id)}>{map.name}</PageLink>,
  },
  {
    header: 'Time',
    width: '5rem',
    cell: (record) => (
      <>
        <RecordTime record={record} />
        <Box textStyle="xs" color="fg.muted">
          <DateTime iso={record.createdAt} />
        </Box>
      </>
    ),
  },
]

export function RecentRecords() {
  const query = useListRecordsQuery(RECENT_RECORDS)
  useLoggedError('Failed to load recent records', query.error)
  return (
    <section>
      <SectionHeading>Recent Records</SectionHeading>
      <Listing
        query={query}
        noun="record"
        failed={<LoadFailure what="records" onRetry={query.refetch} />}
        empty={<EmptyMessage title="No recent records found." hint="Submit a replay, and your record is shown here." />}
      >
        {(records) => (
          <DataTable
            label="Recent records"
            columns={columns}
            rows={records}
            idOf={({ _id }) => _id}
            skeletonRows={RECENT_RECORDS.limit}
            rowHeight="4.25rem"
          />
        )}
      </Listing>
    </section>
  )
}

/** Shows in the place of a list of the home page that could not be loaded. The error itself is only logged. */
function LoadFailure({ what, onRetry }: { what: string; onRetry: () => unknown }) {
  return (
    <EmptyMessage title={`The ${what} could not be loaded.`}>
      <Button variant="outline" onClick={onRetry}>
        Try again
      </Button>
    </EmptyMessage>
  )
}

/** Writes an error to the console: on the home page failed requests raise no toast. */
export function useLoggedError(what: string, error: QueryError): void {
  useEffect(() => {
    if (error) console.error(what, error)
  }, [what, error])
}
