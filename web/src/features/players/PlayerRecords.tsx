import { useState } from 'react'
import { useListRecordsQuery } from '@/api'
import { errorText } from '@/api/error'
import { TimeWithMedal } from '@/entities/record/Time'
import { paths } from '@/routes/paths'
import { Table } from '@/ui'
import { DateTime } from '@/ui/format'
import { SectionHeading } from '@/ui/headings'
import { PageLink } from '@/ui/links'
import { Listing, ListTable, StepPagination } from '@/ui/lists'
import { EmptyMessage, ErrorAlert } from '@/ui/messages'
import { playerRecords, RECORDS_PAGE_SIZE } from './queries'

/** What a player has submitted, the newest first. */
export function PlayerRecords({ playerId }: { playerId: string }) {
  const [page, setPage] = useState(1)
  const query = useListRecordsQuery(playerRecords(playerId, page))
  const pages = Math.ceil((query.data?.pagination.total ?? 0) / RECORDS_PAGE_SIZE)
  return (
    <section>
      <SectionHeading>Records</SectionHeading>
      <Listing
        query={query}
        noun="record"
        failed={<ErrorAlert text={errorText(query.error, 'Failed to load the records')} onRetry={query.refetch} />}
        onFirstPage={() => setPage(1)}
        empty={<EmptyMessage title="No records yet." hint="Accepted records are listed here." />}
        pagination={pages > 1 && <StepPagination page={page} pages={pages} label="Pages of records" onPage={setPage} />}
      >
        {(records) => (
          <ListTable
            label="Records"
            head={['Map', 'Time', 'Date']}
            skeleton={{ rows: 3, height: '3rem', widths: ['70%', '5rem', '5rem'] }}
          >
            {records?.map((record) => (
              <Table.Row key={record._id} h="12">
                <Table.Cell>
                  <PageLink to={paths.leaderboard(record.map._id)}>{record.map.name}</PageLink>
                </Table.Cell>
                <Table.Cell>
                  <PageLink to={paths.record(record._id)} color="inherit">
                    <TimeWithMedal ms={record.finishTime} medal={record.medal} />
                  </PageLink>
                </Table.Cell>
                <Table.Cell color="fg.muted">
                  <DateTime iso={record.finishTimeStamp} />
                </Table.Cell>
              </Table.Row>
            ))}
          </ListTable>
        )}
      </Listing>
    </section>
  )
}
