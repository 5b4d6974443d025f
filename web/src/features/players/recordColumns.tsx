import { msg } from '@lingui/core/macro'
import type { MapRecord } from '@/api'
import { mapColumn } from '@/entities/map/more/mapColumn'
import { RecordTime } from '@/entities/record/Time'
import type { Column } from '@/ui'
import { DateTime } from '@/ui/format'

/** The columns of a player's records. */
export const recordColumns: Column<MapRecord>[] = [
  mapColumn,
  { header: msg`Time`, width: '5rem', cell: (record) => <RecordTime record={record} /> },
  { header: msg`Date`, width: '5rem', muted: true, cell: ({ finishTimeStamp }) => <DateTime iso={finishTimeStamp} /> },
]
