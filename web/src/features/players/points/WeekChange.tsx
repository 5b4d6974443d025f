import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import type { PointsCause, PointsChange } from '@/api'
import { MapLink } from '@/entities/map/more/MapLink'
import { formatPoints, formatPointsChange } from '@/entities/points/format'
import { type Column, DataTable } from '@/ui'
import { InnerPart } from '@/ui/Part'

const KINDS: Record<PointsCause['kind'], MessageDescriptor> = {
  improved: msg`New personal best`,
  others: msg`Others have played`,
  gone: msg`No longer counts`,
}

/** A cause, the rest of the causes, or the sum of all. */
type Row = { id: string; change: number } & (
  | Pick<PointsCause, 'map' | 'kind' | 'pointsBefore' | 'points'>
  | { name: string }
)

/** Why the points of a player have changed within a week: the largest causes, the rest, and their sum. */
export function WeekChange({ change: { points, causes, rest } }: { change: PointsChange }) {
  const rows: Row[] = causes.map((cause) => ({ id: cause.map._id, ...cause }))
  if (rest !== 0) rows.push({ id: 'rest', name: t`Everything else`, change: rest })
  if (rows.length === 0) return null
  return (
    <InnerPart title={t`The change of the last 7 days`}>
      <DataTable
        label={t`The change of the last 7 days`}
        columns={columns}
        rows={rows}
        pinned={{ id: 'sum', name: t`Sum`, change: points }}
        idOf={({ id }) => id}
      />
    </InnerPart>
  )
}

const columns: Column<Row>[] = [
  {
    header: msg`Map`,
    width: '50%',
    cell: (row) => ('map' in row ? <MapLink map={row.map} /> : row.name),
  },
  { header: msg`Cause`, width: '8rem', hideBelow: 'sm', cell: (row) => 'kind' in row && i18n._(KINDS[row.kind]) },
  {
    header: msg`Points on the map`,
    width: '6rem',
    align: 'end',
    muted: true,
    cell: (row) => 'kind' in row && `${formatPoints(row.pointsBefore)} → ${formatPoints(row.points)}`,
  },
  {
    header: msg({ message: 'Change', context: 'difference' }),
    width: '3rem',
    align: 'end',
    cell: ({ change }) => <b>{formatPointsChange(change)}</b>,
  },
]
