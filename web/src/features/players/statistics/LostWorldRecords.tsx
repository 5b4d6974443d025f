import { msg, t } from '@lingui/core/macro'
import type { LostWorldRecord } from '@/api'
import { mapColumn } from '@/entities/map/more/mapColumn'
import { PlayerName } from '@/entities/player/PlayerName'
import { TimeLink } from '@/entities/record/Time'
import { Box, type Column, DataTable } from '@/ui'
import { DateTime, durationText } from '@/ui/format'
import { EmptyMessage } from '@/ui/messages'
import { InnerPart } from '@/ui/Part'

/** The world records of a player that others have broken, the newest loss first. */
export function LostWorldRecords({ lost }: { lost: LostWorldRecord[] }) {
  return (
    <InnerPart title={t`Lost world records`}>
      {lost.length > 0 ? (
        <DataTable
          label={t`Lost world records`}
          columns={columns}
          rows={lost}
          idOf={({ brokenBy }) => brokenBy.record}
        />
      ) : (
        <EmptyMessage title={t`No lost world records.`} hint={t`World records that others break are listed here.`} />
      )}
    </InnerPart>
  )
}

const columns: Column<LostWorldRecord>[] = [
  { ...mapColumn, width: '40%' },
  {
    header: msg`Time`,
    width: '4rem',
    cell: ({ record, finishTime }) => <TimeLink id={record} ms={finishTime} />,
  },
  {
    header: msg`Broken by`,
    width: '30%',
    cell: ({ brokenBy: { player } }) => (
      <Box minW="6.5rem">
        <PlayerName player={player} size={6} />
      </Box>
    ),
  },
  {
    header: msg`New time`,
    width: '4rem',
    hideBelow: 'sm',
    cell: ({ brokenBy: { record, finishTime } }) => <TimeLink id={record} ms={finishTime} />,
  },
  { header: msg`Lost`, width: '6rem', hideBelow: 'md', muted: true, cell: ({ until }) => <DateTime iso={until} /> },
  {
    header: msg`Held for`,
    width: '6rem',
    hideBelow: 'md',
    muted: true,
    cell: ({ milliseconds }) => durationText(milliseconds),
  },
]
