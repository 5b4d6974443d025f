import { t } from '@lingui/core/macro'
import { type Player, useListRecordsQuery } from '@/api'
import { Listing } from '@/api/Listing'
import { DataTable } from '@/ui'
import { useAddress } from '@/ui/address'
import { StepPagination } from '@/ui/lists'
import { EmptyMessage } from '@/ui/messages'
import { playerRecords, RECORDS_PAGE_SIZE, recordsAddress } from './queries'
import { recordColumns } from './recordColumns'

/** What a player has submitted, the newest first. The address has the page. */
export default function PlayerRecords({ player }: { player: Player }) {
  const [{ page }, show] = useAddress(recordsAddress)
  const query = useListRecordsQuery(playerRecords(player._id, page))
  const pages = Math.ceil((query.data?.pagination.total ?? 0) / RECORDS_PAGE_SIZE)
  return (
    <Listing
      query={query}
      pastEnd={t`This page is past the last record.`}
      messages={t`Failed to load the records`}
      onFirstPage={() => show({})}
      empty={<EmptyMessage title={t`No records yet.`} hint={t`Accepted records are listed here.`} />}
      pagination={
        pages > 1 && (
          <StepPagination page={page} pages={pages} label={t`Pages of records`} onPage={(page) => show({ page })} />
        )
      }
    >
      {(records) => (
        <DataTable label={t`Records`} columns={recordColumns} rows={records} idOf={({ _id }) => _id} skeletonRows={3} />
      )}
    </Listing>
  )
}
