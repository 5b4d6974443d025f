import { msg, t } from '@lingui/core/macro'
import { useSearchParams } from 'react-router'
import { type MapRecord, type Player, useListRecordsQuery } from '@/api'
import { errorText } from '@/api/error'
import { RecordTime } from '@/entities/record/Time'
import { paths } from '@/routes/paths'
import { type Column, DataTable, Name } from '@/ui'
import { DateTime } from '@/ui/format'
import { PageLink } from '@/ui/links'
import { Listing, pageOf, StepPagination } from '@/ui/lists'
import { EmptyMessage, ErrorAlert } from '@/ui/messages'
import { withPage } from './partAddress'
import { playerRecords, RECORDS_PAGE_SIZE } from './queries'

const columns: Column<MapRecord>[] = [
  {
    header: msg`Map`,
    width: '70%',
    cell: ({ map }) => (
      <PageLink to={paths.leaderboard(map._id)}>
        <Name>{map.name}</Name>
      </PageLink>
    ),
  },
  { header: msg`Time`, width: '5rem', cell: (record) => <RecordTime record={record} /> },
  { header: msg`Date`, width: '5rem', muted: true, cell: ({ finishTimeStamp }) => <DateTime iso={finishTimeStamp} /> },
]

/** What a player has submitted, the newest first. The address has the page. */
export default function PlayerRecords({ player }: { player: Player }) {
  const [address, setAddress] = useSearchParams()
  const page = pageOf(address)
  const setPage = (to: number) => setAddress(withPage(address, 'page', to), { preventScrollReset: true })
  const query = useListRecordsQuery(playerRecords(player._id, page))
  const pages = Math.ceil((query.data?.pagination.total ?? 0) / RECORDS_PAGE_SIZE)
  return (
    <Listing
      query={query}
      pastEnd={t`This page is past the last record.`}
      failed={<ErrorAlert text={errorText(query.error, t`Failed to load the records`)} onRetry={query.refetch} />}
      onFirstPage={() => setPage(1)}
      empty={<EmptyMessage title={t`No records yet.`} hint={t`Accepted records are listed here.`} />}
      pagination={
        pages > 1 && <StepPagination page={page} pages={pages} label={t`Pages of records`} onPage={setPage} />
      }
    >
      {(records) => (
        <DataTable label={t`Records`} columns={columns} rows={records} idOf={({ _id }) => _id} skeletonRows={3} />
      )}
    </Listing>
  )
}
