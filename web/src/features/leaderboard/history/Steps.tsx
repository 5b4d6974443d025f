import { msg, t } from '@lingui/core/macro'
import type { WorldRecordStep } from '@/api'
import { PlayerName } from '@/entities/player/PlayerName'
import { formatDifference } from '@/entities/record/raceTime'
import { TimeLink } from '@/entities/record/Time'
import { type Column, DataTable } from '@/ui'
import { DateTime, durationText } from '@/ui/format'

interface Row extends WorldRecordStep {
  previous: WorldRecordStep | undefined
}

const stepColumns = (now: number): Column<Row>[] => [
  { header: msg`Player`, width: '70%', cell: ({ player }) => <PlayerName player={player} /> },
  {
    header: msg`Time`,
    width: '5rem',
    cell: ({ _id, finishTime }) => <TimeLink id={_id} ms={finishTime} />,
  },
  {
    header: msg`Improved by`,
    width: '5rem',
    hideBelow: 'xl',
    muted: true,
    cell: ({ finishTime, previous }) =>
      previous && <span translate="no">{formatDifference(finishTime - previous.finishTime)}</span>,
  },
  { header: msg`Since`, width: '5rem', hideBelow: 'sm', muted: true, cell: ({ from }) => <DateTime iso={from} /> },
  {
    header: msg`Held for`,
    width: '5rem',
    muted: true,
    cell: ({ from, until }) => durationText((until ? Date.parse(until) : now) - Date.parse(from)),
  },
]

interface Props {
  /** From the oldest; undefined while they load. */
  steps: WorldRecordStep[] | undefined
  /** How many of them are shown. */
  limit: number
  now: number
}

/** The newest world records of a map, the newest first. */
export function Steps({ steps, limit, now }: Props) {
  const rows = steps
    ?.map((step, i) => ({ ...step, previous: steps[i - 1] }))
    .reverse()
    .slice(0, limit)
  return (
    <DataTable
      label={t`World records`}
      columns={stepColumns(now)}
      rows={rows}
      idOf={({ _id }) => _id}
      skeletonRows={limit}
    />
  )
}
