import { i18n } from '@lingui/core'
import { msg, plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { type PlacePoints, type MapPoints as Points, useGetMapPointsQuery } from '@/api'
import { REASONS } from '@/entities/moderation/texts'
import { formatPoints } from '@/entities/points/format'
import { ordinal } from '@/entities/points/texts'
import { paths } from '@/routes/paths'
import { Box, Button, type Column, DataTable, Flex } from '@/ui'
import { formatNumber } from '@/ui/format'
import { PageLink } from '@/ui/links'

/** What the places on a map are worth, or why it gives no points. Without an answer nothing is shown. */
export default function MapPoints({ mapId }: { mapId: string }) {
  const { currentData } = useGetMapPointsQuery({ id: mapId })
  const [opened, setOpened] = useState(false)
  const points = currentData?.data
  if (!points) return null
  return (
    <>
      <Flex wrap="wrap" columnGap="3" rowGap="1" align="center">
        <span>{points.ranked ? worthText(points) : unrankedText(points)}</span>
        {points.ranked && (
          <Button size="xs" variant="outline" aria-expanded={opened} onClick={() => setOpened(!opened)}>
            <Trans>All places</Trans>
          </Button>
        )}
        <PageLink to={paths.formula}>{t`How points work`}</PageLink>
      </Flex>
      {opened && (
        <Box mt="2" maxH="20rem" overflowY="auto">
          <DataTable
            label={t`Points by place`}
            columns={columns}
            rows={points.places}
            idOf={({ place }) => String(place)}
          />
        </Box>
      )}
    </>
  )
}

function worthText({ places }: Points): string {
  const [first, last] = [places[0], places.at(-1)]
  const [most, least] = [formatPoints(first?.points ?? 0), formatPoints(last?.points ?? 0)]
  return t`${most} points for the ${ordinal(1)}, ${least} for the ${ordinal(last?.place ?? 1)}`
}

function unrankedText({ reason, publicReason, finishers, thresholds }: Points): string {
  if (reason === 'superseded') return t`No points: the map has a newer version.`
  if (reason === 'unranked' && publicReason) {
    const why = i18n._(REASONS[publicReason])
    return t`No points: moderators have unranked the map. ${why}.`
  }
  if (reason === 'unranked') return t`No points: moderators have unranked the map.`
  const done = formatNumber(finishers)
  return plural(thresholds.finishers, {
    one: `No points yet: ${done} of the # ranked player who must have finished the map has done so.`,
    other: `No points yet: ${done} of the # ranked players who must have finished the map have done so.`,
  })
}

const columns: Column<PlacePoints>[] = [
  { header: msg`Place`, width: '3rem', cell: ({ place }) => ordinal(place) },
  {
    header: msg({ message: 'Finish', context: 'points' }),
    width: '3rem',
    align: 'end',
    muted: true,
    cell: ({ finish }) => formatPoints(finish),
  },
  { header: msg`Beaten`, width: '3rem', align: 'end', muted: true, cell: (row) => formatPoints(row.beatenPoints) },
  { header: msg`Bonus`, width: '3rem', align: 'end', muted: true, cell: (row) => formatPoints(row.placeBonus) },
  { header: msg`Points`, width: '3rem', align: 'end', cell: ({ points }) => <b>{formatPoints(points)}</b> },
]
