import { msg, plural, t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { type PointsThresholds, useListRankingsQuery } from '@/api'
import { Loaded } from '@/api/Loaded'
import { formatPoints, formatWeight } from '@/entities/points/format'
import { BEATEN, DIVISOR, FINISH, PLACE_BONUSES, pointsOf, totalOf, WEIGHT, weightOf } from '@/entities/points/formula'
import { ordinal } from '@/entities/points/texts'
import { type Column, DataTable, Skeleton, Stack, styled, Text } from '@/ui'
import { Part } from '@/ui/Part'
import { Calculator } from './Calculator'
import { FIRST_RANKING } from './queries'

/** Explains the formula of points, with examples and a calculator. The answer has the thresholds of the site. */
export function FormulaView() {
  const query = useListRankingsQuery(FIRST_RANKING)
  return (
    <Loaded
      query={query}
      skeleton={<Skeleton h="40rem" rounded="l3" role="status" aria-label={t`Loading the formula`} />}
    >
      {(_, { thresholds, formulaVersion }) => (
        <Stack gap="8" maxW="4xl">
          <OnAMap />
          <Part spaced title={t`Calculator`}>
            <Calculator finishersNeeded={thresholds.finishers} />
          </Part>
          <Total />
          <WhoCounts thresholds={thresholds} />
          <Part spaced title={t`What changes your points`}>
            <List>
              <li>{t`Somebody who becomes faster than you takes points from you: you beat one player fewer.`}</li>
              <li>{t`Somebody slower who finishes the map gives you points.`}</li>
              <li>{t`A better place always gives points. Players with the same time share a place, and count half for each other.`}</li>
              <li>{t`Medals give no points, because authors set their times. They have rankings of their own.`}</li>
              <li>{t`When a record is removed or a player is banned, points are as if they had never been there.`}</li>
            </List>
            <Text color="fg.muted" textStyle="sm">
              <Trans>This is version {formulaVersion} of the formula.</Trans>
            </Text>
          </Part>
        </Stack>
      )}
    </Loaded>
  )
}

const List = styled('ul', { base: { listStyleType: 'disc', ps: '5', display: 'grid', gap: '1' } })

const Formula = styled('p', {
  base: {
    p: '4',
    borderWidth: '1px',
    rounded: 'l2',
    bg: 'bg.panel',
    // A line has two of the three terms on a phone.
    fontSize: { base: 'sm', sm: 'md' },
    fontWeight: 'semibold',
    fontVariantNumeric: 'tabular-nums',
  },
})

function OnAMap() {
  const bonuses = PLACE_BONUSES.join(', ')
  return (
    <Part spaced title={t`Points on a map`}>
      <Text>
        <Trans>
          Your points on a map depend on how many players you have beaten there. They are the sum of three terms:
        </Trans>
      </Text>
      <Formula>
        <Trans>
          {FINISH}·m / (m + {DIVISOR}) + {BEATEN}·b / (m + {DIVISOR}) + bonus·b / (m + {DIVISOR})
        </Trans>
      </Formula>
      <List>
        <li>
          <Trans>
            <b>m</b> is the number of other players who count and have finished the map.
          </Trans>
        </li>
        <li>
          <Trans>
            <b>b</b> is the number of those who are slower than you, plus half of those with your time.
          </Trans>
        </li>
        <li>
          <Trans>
            The <b>bonus</b> is {bonuses} for the first five places, and nothing for all others.
          </Trans>
        </li>
      </List>
      <Text>
        <Trans>With 31 finishers, you among them:</Trans>
      </Text>
      <DataTable label={t`Points with 31 finishers`} columns={placeColumns} rows={EXAMPLES} idOf={String} />
    </Part>
  )
}

const EXAMPLES = [1, 2, 3, 8, 16, 31] as const
const termsOf = (place: number) => pointsOf({ opponents: 30, beaten: 31 - place, place })

const placeColumns: Column<number>[] = [
  { header: msg`Place`, width: '3rem', cell: ordinal },
  { header: 'b', width: '2rem', align: 'end', cell: (place) => 31 - place },
  {
    header: msg({ message: 'Finish', context: 'points' }),
    width: '3rem',
    align: 'end',
    cell: (place) => formatPoints(termsOf(place).finish),
  },
  { header: msg`Beaten`, width: '3rem', align: 'end', cell: (place) => formatPoints(termsOf(place).beatenPoints) },
  { header: msg`Bonus`, width: '3rem', align: 'end', cell: (place) => formatPoints(termsOf(place).placeBonus) },
  {
    header: msg`Points`,
    width: '3rem',
    align: 'end',
    cell: (place) => <b>{formatPoints(termsOf(place).points)}</b>,
  },
]

const SIX_MAPS = [586.1, 534.2, 375, 326, 178.1, 89]

function Total() {
  const total = formatPoints(totalOf(SIX_MAPS))
  return (
    <Part spaced title={t`Your total`}>
      <Text>
        <Trans>
          Your maps are ordered by their points. The first counts in full, and each of the others {formatWeight(WEIGHT)}{' '}
          times as much as the one before it. Every map adds something, but many easy ones do not outweigh a few very
          good ones.
        </Trans>
      </Text>
      <DataTable
        label={t`The total of six maps`}
        columns={totalColumns}
        rows={SIX_MAPS.map((points, i) => ({ points, position: i + 1 }))}
        idOf={({ position }) => String(position)}
      />
      <Text>
        <Trans>
          The sum is <b>{total}</b>. Points on maps are rounded to the tenth, and so is the sum; what is in between is
          not.
        </Trans>
      </Text>
    </Part>
  )
}

const totalColumns: Column<{ points: number; position: number }>[] = [
  { header: msg`Map`, width: '3rem', cell: ({ position }) => ordinal(position) },
  {
    header: msg`Counts as`,
    width: '10rem',
    align: 'end',
    cell: ({ points, position }) =>
      `${formatPoints(points)} × ${formatWeight(weightOf(position))} = ${formatPoints(points * weightOf(position))}`,
  },
]

function WhoCounts({ thresholds: { finishers, maps, authors } }: { thresholds: PointsThresholds }) {
  return (
    <Part spaced title={t`Who counts, and where`}>
      <List>
        <li>
          <Trans>
            Players count if they have logged in, are not banned, and have finished{' '}
            <Plural value={maps} one="# map" other="# maps" /> by{' '}
            <Plural value={authors} one="# author" other="# authors" />. Only players who count are ranked.
          </Trans>
        </li>
        <li>
          {plural(finishers, {
            one: 'A map gives points when # player who counts has finished it, and only in its newest version.',
            other: 'A map gives points when # players who count have finished it, and only in its newest version.',
          })}
        </li>
      </List>
    </Part>
  )
}
