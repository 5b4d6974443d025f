import { t } from '@lingui/core/macro'
import { type Player, useListRecordsQuery } from '@/api'
import { Listing } from '@/api/Listing'
import { DataTable } from '@/ui'
import { useAddress } from '@/ui/address'
import { EmptyMessage } from '@/ui/messages'
import { playerRecords, recordsAddress } from './queries'
import { recordColumns } from './recordColumns'

/** What a player has submitted, the newest first. The address has the page. */
export default function PlayerRecords({ player }: { player: Player }) {
  const [{ page }, show] = useAddress(recordsAddress)
  const query = useListRecordsQuery(playerRecords(player._id, page))
  return (
    <Listing
      query={query}
      pages={{
        page,
        label: t`Pages of records`,
        pastEnd: t`This page is past the last record.`,
        onPage: (page) => show({ page }),
      }}
      empty={<EmptyMessage title={t`No records yet.`} hint={t`Accepted records are listed here.`} />}
    >
      {(records) => (
        <DataTable label={t`Records`} columns={recordColumns} rows={records} idOf={({ _id }) => _id} skeletonRows={3} />
      )}
    </Listing>
  )
}
