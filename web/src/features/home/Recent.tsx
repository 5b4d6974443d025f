import { useEffect } from 'react'
import { type MapRecord, useListRecordsQuery, useSearchMapsQuery } from '@/api'
import { type QueryError, refusalOf } from '@/api/error'
import { MapRow } from '@/entities/map/MapGrid'
import { PlayerName } from '@/entities/player/PlayerName'
import { TimeWithMedal } from '@/entities/record/Time'
import { paths } from '@/routes/paths'
import { Box, Button, Table } from '@/ui'
import { DateTime } from '@/ui/format'
import { SectionHeading } from '@/ui/headings'
import { PageLink } from '@/ui/links'
import { Listing, ListTable } from '@/ui/lists'
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
          <ListTable
            label="Recent records"
            head={['Player', 'Map', 'Time']}
            skeleton={{ rows: RECENT_RECORDS.limit, height: '4.25rem', widths: ['70%', '70%', '5rem'] }}
          >
            {records?.map((record) => (
              <RecordRow key={record._id} record={record} />
            ))}
          </ListTable>
        )}
      </Listing>
    </section>
  )
}

function RecordRow({ record }: { record: MapRecord }) {
  return (
    <Table.Row h="4.25rem">
      <Table.Cell>
        <PlayerName player={record.player} />
      </Table.Cell>
      <Table.Cell>
        <PageLink to={paths.leaderboard(record.map._id)}>{record.map.name}</PageLink>
      </Table.Cell>
      <Table.Cell>
        <PageLink to={paths.record(record._id)} color="inherit">
          <TimeWithMedal ms={record.finishTime} medal={record.medal} />
        </PageLink>
        <Box textStyle="xs" color="fg.muted">
          <DateTime iso={record.createdAt} />
        </Box>
      </Table.Cell>
    </Table.Row>
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
