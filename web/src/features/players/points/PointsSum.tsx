import { msg, plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { PlayerMapPoints, PlayerPoints } from '@/api'
import { PastEnd } from '@/api/Listing'
import { MapLink } from '@/entities/map/more/MapLink'
import { formatPoints, formatWeight } from '@/entities/points/format'
import { BEATEN, DIVISOR, FINISH, PLACE_BONUSES } from '@/entities/points/formula'
import { ordinal } from '@/entities/points/texts'
import { TimeLink } from '@/entities/record/Time'
import { Box, Button, type Column, DataTable, styled, Text } from '@/ui'
import { formatNumber } from '@/ui/format'
import { StepPagination } from '@/ui/lists'
import { InnerPart } from '@/ui/Part'
import { POINTS_PAGE_SIZE } from '../queries'

interface Props {
  points: PlayerPoints
  /** How many maps there are on all pages. */
  maps: number
  page: number
  onPage: (page: number) => void
}

/** The sum that a total is: each map with what it counts, and on demand with the terms of its points. */
export function PointsSum({ points, maps, page, onPage }: Props) {
  const [opened, setOpened] = useState<readonly string[]>([])
  const pages = Math.ceil(maps / POINTS_PAGE_SIZE)
  const toggle = (id: string) =>
    setOpened(opened.includes(id) ? opened.filter((other) => other !== id) : [...opened, id])
  if (points.maps.length === 0 && maps > 0) {
    return <PastEnd pastEnd={t`This page is past the last map.`} onPage={onPage} />
  }
  return (
    <InnerPart title={t`How the points add up`}>
      <DataTable
        label={t`Points by map`}
        columns={columnsOf(opened, points.thresholds.finishers)}
        rows={points.maps}
        idOf={({ map }) => map._id}
        actions={(row) => row.finishersMissing === 0 && <TermsButton row={row} opened={opened} onToggle={toggle} />}
      />
      <SumText points={points} pages={pages} />
      <StepPagination page={page} pages={pages} label={t`Pages of points by map`} onPage={onPage} />
    </InnerPart>
  )
}

interface ButtonProps {
  row: PlayerMapPoints
  opened: readonly string[]
  onToggle: (id: string) => void
}

function TermsButton({ row: { map }, opened, onToggle }: ButtonProps) {
  return (
    <Button
      size="xs"
      variant="outline"
      aria-expanded={opened.includes(map._id)}
      aria-label={t`Calculation for ${map.name}`}
      onClick={() => onToggle(map._id)}
    >
      <Trans>Calculation</Trans>
    </Button>
  )
}

const columnsOf = (opened: readonly string[], finishersNeeded: number): Column<PlayerMapPoints>[] => [
  { header: '#', width: '1.5rem', muted: true, cell: ({ position }) => <Text whiteSpace="nowrap">{position}</Text> },
  {
    header: msg`Map`,
    width: '60%',
    cell: (row) => (
      <>
        <MapLink map={row.map} />
        {opened.includes(row.map._id) && <Terms row={row} />}
      </>
    ),
  },
  {
    header: msg`Time`,
    width: '4rem',
    hideBelow: 'md',
    cell: ({ record, finishTime }) => <TimeLink id={record} ms={finishTime} />,
  },
  {
    header: msg`Counts as`,
    width: '8rem',
    align: 'end',
    cell: ({ points, weight, share, finishersMissing }) =>
      finishersMissing > 0 ? (
        finishersText(finishersNeeded - finishersMissing, finishersNeeded)
      ) : (
        <Sum>
          <Product>{`${formatPoints(points)} × ${formatWeight(weight)} =`}</Product> <b>{formatPoints(share)}</b>
        </Sum>
      ),
  },
]

function finishersText(count: number, needed: number): string {
  const finishers = formatNumber(count)
  return plural(needed, { one: `${finishers} of # finisher`, other: `${finishers} of # finishers` })
}

// On a phone the product is above its result, and only in the calculation where there is no room.
const Sum = styled('span', {
  base: { display: { base: 'grid', sm: 'inline' }, fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' },
})

const Product = styled('span', {
  base: { fontSize: { base: 'xs', sm: 'inherit' }, _narrowest: { display: 'none' } },
})

/** The three terms of the points on a map, in words and with the numbers of the formula. */
function Terms({ row }: { row: PlayerMapPoints }) {
  const { opponents: m, beaten: b, place } = row
  const bonus = PLACE_BONUSES[place - 1] ?? 0
  const [finish, beaten, placeBonus, points] = [row.finish, row.beatenPoints, row.placeBonus, row.points].map(
    formatPoints,
  )
  return (
    <Box mt="1" textStyle="xs" color="fg.muted" fontVariantNumeric="tabular-nums">
      <p>
        <Trans>
          {finish} for finishing + {beaten} for {formatNumber(b)} of {formatNumber(m)} beaten + {placeBonus} for the{' '}
          {ordinal(place)} place = {points}
        </Trans>
      </p>
      <p>{`${FINISH}·${m}/${m + DIVISOR} + ${BEATEN}·${b}/${m + DIVISOR} + ${bonus}·${b}/${m + DIVISOR}`}</p>
    </Box>
  )
}

/** States the total, and what the maps of the page add to it. The rest is that of the rounded sum, so that both add up. */
function SumText({ points: { maps, total }, pages }: { points: PlayerPoints; pages: number }) {
  const sum = formatPoints(total)
  if (pages <= 1) {
    return (
      <Text>
        <Trans>
          The sum is <b>{sum}</b>.
        </Trans>
      </Text>
    )
  }
  const shown = Math.round(10 * maps.reduce((all, { share }) => all + share, 0)) / 10
  const [ofPage, others] = [formatPoints(shown), formatPoints(total - shown)]
  return (
    <Text>
      <Trans>
        The maps on this page add up to {ofPage}, all others to {others}: <b>{sum}</b>.
      </Trans>
    </Text>
  )
}
