import { msg, plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import type { MapHistory, WorldRecordStep } from '@/api'
import { PlayerName } from '@/entities/player/PlayerName'
import { Button, type Column, DataTable, Stack, Text } from '@/ui'
import { durationText, formatNumber } from '@/ui/format'
import { HistoryChart } from './HistoryChart'
import { Steps } from './Steps'

const FIRST_ROWS = 10

/** The world records of a map as a picture and a table, and who held them for how long. */
export function WorldRecordHistory({ steps, holders, now }: MapHistory & { now: number }) {
  return (
    <Stack gap="6">
      <HistoryChart steps={steps} now={now} />
      <PagedSteps steps={steps} now={now} />
      <Holders holders={holders} newest={steps.at(-1)} now={now} />
    </Stack>
  )
}

/** The newest ten world records, then all. */
function PagedSteps({ steps, now }: { steps: WorldRecordStep[]; now: number }) {
  const [limit, setLimit] = useState(FIRST_ROWS)
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (limit === FIRST_ROWS) return
    // The button is removed, with the focus of a keyboard, which goes on in the first row that was added.
    list.current?.querySelectorAll('tbody tr')[FIRST_ROWS]?.querySelector('a')?.focus()
  }, [limit])
  return (
    <Stack gap="3" ref={list}>
      <Steps steps={steps} limit={limit} now={now} />
      {limit < steps.length && (
        <Button size="sm" variant="outline" alignSelf="flex-start" onClick={() => setLimit(steps.length)}>
          {plural(steps.length, { one: 'Show # world record', other: 'Show all # world records' })}
        </Button>
      )}
    </Stack>
  )
}

type Holder = MapHistory['holders'][number]

interface HoldersProps extends Pick<MapHistory, 'holders'> {
  newest: WorldRecordStep | undefined
  now: number
}

function Holders({ holders, newest, now }: HoldersProps) {
  const columns: Column<Holder>[] = [
    { header: msg`Holder`, width: '70%', cell: ({ player }) => <PlayerName player={player} /> },
    { header: msg`Reigns`, width: '2rem', cell: ({ reigns }) => formatNumber(reigns) },
    {
      header: msg`Held for`,
      width: '5rem',
      muted: true,
      cell: ({ heldFor, current }) => {
        const held = durationText(heldFor + (current && newest ? now - Date.parse(newest.from) : 0))
        if (!current) return held
        return (
          <Trans>
            {held}{' '}
            <Text as="span" fontWeight="semibold" color="first.fg">
              until now
            </Text>
          </Trans>
        )
      },
    },
  ]
  return (
    <DataTable
      label={t`Holders of the world record`}
      columns={columns}
      rows={holders}
      idOf={({ player }) => player._id}
    />
  )
}
