import { msg, plural, t } from '@lingui/core/macro'
import { useState } from 'react'
import { type ImprovedMap, type Improvement, useGetImprovementQuery, useListImprovementsQuery } from '@/api'
import { Listing } from '@/api/Listing'
import { Loaded } from '@/api/Loaded'
import { MapLink } from '@/entities/map/more/MapLink'
import { formatDifference, formatTime } from '@/entities/record/raceTime'
import { Time, TimeLink } from '@/entities/record/Time'
import { Badge, Button, type Column, DataTable, Flex, Skeleton, Stack } from '@/ui'
import { page, useAddress } from '@/ui/address'
import { DateTime, formatNumber, isolated } from '@/ui/format'
import { EmptyMessage } from '@/ui/messages'
import { StepChart } from '@/ui/more/StepChart'
import { InnerPart } from '@/ui/Part'

const PAGE_SIZE = 5

const improvementsAddress = { improvementsPage: page }

/** The maps on which a player became faster. The address has the page, and a button shows the steps on one map. */
export function Improvements({ playerId }: { playerId: string }) {
  const [{ improvementsPage }, show] = useAddress(improvementsAddress)
  const [open, setOpen] = useState<ImprovedMap | null>(null)
  const query = useListImprovementsQuery({ id: playerId, offset: (improvementsPage - 1) * PAGE_SIZE, limit: PAGE_SIZE })
  return (
    <InnerPart title={t`Improvement by map`}>
      <Listing
        query={query}
        pages={{
          page: improvementsPage,
          label: t`Pages of improvements`,
          pastEnd: t`This page is past the last map.`,
          onPage: (improvementsPage) => show({ improvementsPage }),
        }}
        empty={
          <EmptyMessage title={t`No improvements yet.`} hint={t`A second, faster record on a map is an improvement.`} />
        }
      >
        {(maps) => (
          <DataTable
            label={t`Improvement by map`}
            columns={columns}
            rows={maps}
            idOf={({ map }) => map._id}
            skeletonRows={PAGE_SIZE}
            isCurrent={({ map }) => map._id === open?.map._id}
            actions={(row) => (
              <Button
                size="xs"
                variant="outline"
                aria-expanded={row.map._id === open?.map._id}
                aria-label={t`Steps on ${nameOf(row)}`}
                onClick={() => setOpen(row.map._id === open?.map._id ? null : row)}
              >
                {t`Steps`}
              </Button>
            )}
          />
        )}
      </Listing>
      {open && <ImprovementSteps key={open.map._id} playerId={playerId} improved={open} />}
    </InnerPart>
  )
}

const columns: Column<ImprovedMap>[] = [
  {
    header: msg`Map`,
    width: '70%',
    cell: ({ map, mapVersion }) => (
      <Flex wrap="wrap" align="center" columnGap="2">
        <MapLink map={map} />
        {mapVersion > 1 && <Badge>{t`Version ${mapVersion}`}</Badge>}
      </Flex>
    ),
  },
  { header: msg`First time`, width: '4rem', hideBelow: 'sm', cell: (row) => <Time ms={row.firstFinishTime} /> },
  {
    header: msg`Best time`,
    width: '4rem',
    cell: ({ best }) => <TimeLink id={best._id} ms={best.finishTime} />,
  },
  { header: msg`Faster by`, width: '4rem', hideBelow: 'sm', cell: ({ improvedBy }) => <Time ms={improvedBy} /> },
  {
    header: msg`Improvements`,
    width: '2rem',
    hideBelow: 'md',
    align: 'end',
    muted: true,
    cell: ({ improvements }) => formatNumber(improvements),
  },
]

/** A player's improvements on one map, as a picture and a table. */
function ImprovementSteps({ playerId, improved }: { playerId: string; improved: ImprovedMap }) {
  const name = nameOf(improved)
  const query = useGetImprovementQuery({ id: playerId, map: improved.map._id })
  const [now] = useState(Date.now)
  return (
    <Loaded
      query={query}
      skeleton={<Skeleton h="64" rounded="l3" role="status" aria-label={t`Loading the improvements`} />}
    >
      {(steps) => (
        <Stack as="section" aria-label={t`Steps on ${name}`} gap="3">
          <StepChart
            steps={steps.map(({ createdAt, finishTime }) => ({ at: createdAt, value: finishTime }))}
            now={now}
            title={titleOf(name, steps)}
            format={formatTime}
          />
          <DataTable label={t`Steps on ${name}`} columns={stepColumns} rows={steps} idOf={({ _id }) => _id} />
        </Stack>
      )}
    </Loaded>
  )
}

// Versions of a map have the same name.
function nameOf({ map, mapVersion: version }: ImprovedMap): string {
  const name = isolated(map.name)
  return version > 1 ? t`${name} (version ${version})` : name
}

function titleOf(name: string, steps: Improvement[]): string {
  const [first, best] = [formatTime(steps[0]?.finishTime ?? 0), formatTime(steps.at(-1)?.finishTime ?? 0)]
  return plural(steps.length, {
    one: `The personal best on ${name} went from ${first} to ${best} in # record.`,
    other: `The personal best on ${name} went from ${first} to ${best} in # records.`,
  })
}

const stepColumns: Column<Improvement>[] = [
  { header: msg`Date`, width: '5rem', muted: true, cell: ({ createdAt }) => <DateTime iso={createdAt} /> },
  {
    header: msg`Time`,
    width: '4rem',
    cell: (step) => <TimeLink id={step._id} ms={step.finishTime} />,
  },
  {
    header: msg`Faster by`,
    width: '4rem',
    cell: ({ improvedBy }) =>
      improvedBy === null ? t`First record` : <span translate="no">{formatDifference(-improvedBy)}</span>,
  },
]
