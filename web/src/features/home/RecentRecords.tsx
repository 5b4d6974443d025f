import { type MapRecord, useListRecordsQuery } from '@/api'
import { PlayerName } from '@/entities/player/PlayerName'
import { TimeWithMedal } from '@/entities/record/Time'
import { paths } from '@/routes/paths'
import { Box, Table } from '@/ui'
import { DateTime } from '@/ui/DateTime'
import { EmptyMessage } from '@/ui/EmptyMessage'
import { Listing } from '@/ui/Listing'
import { ListTable } from '@/ui/ListTable'
import { PageLink } from '@/ui/PageLink'
import { SectionHeading } from '@/ui/SectionHeading'
import { LoadFailure, useLoggedError } from './failures'
import { RECENT_RECORDS } from './queries'

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
