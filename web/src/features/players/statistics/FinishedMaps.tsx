import { msg, plural, t } from '@lingui/core/macro'
import type { ModeStatistics, PlayerStatistics } from '@/api'
import { MEDALS, medalName } from '@/entities/record/Medal'
import { type Column, DataTable, styled, Text } from '@/ui'
import { formatNumber } from '@/ui/format'
import { InnerPart } from '@/ui/Part'

/** How many of the site's maps a player has finished, by mode and medal. */
export function FinishedMaps({ finished, modes }: Pick<PlayerStatistics, 'finished' | 'modes'>) {
  const total = formatNumber(finished.total)
  return (
    <InnerPart title={t`Finished maps`}>
      <Text color="fg.muted">{plural(finished.of, { one: `${total} of # map`, other: `${total} of # maps` })}</Text>
      <Table>
        <DataTable label={t`Finished maps by mode`} columns={columns} rows={modes} idOf={({ mode }) => mode ?? ''} />
      </Table>
    </InnerPart>
  )
}

// Six columns have room on 320 pixels.
const Table = styled('div', { base: { _narrowest: { '& table': { fontSize: 'xs' } } } })

const Bar = styled('div', {
  base: { display: 'flex', h: '3', minW: '24', rounded: 'full', overflow: 'hidden', bg: 'bg.muted' },
})

const Share = styled('div', {
  variants: {
    of: {
      author: { bg: 'medal.author' },
      gold: { bg: 'medal.gold' },
      silver: { bg: 'medal.silver' },
      bronze: { bg: 'medal.bronze' },
      none: { bg: 'border.emphasized' },
    },
  },
})

const KINDS = [...MEDALS, 'none'] as const

/** The medals of a mode as shares of its maps; the other columns have the figures. */
function MedalBar({ medals, of }: ModeStatistics) {
  return (
    <Bar aria-hidden="true">
      {KINDS.map((kind) => (
        <Share key={kind} of={kind} style={{ width: `${(100 * medals[kind]) / Math.max(of, 1)}%` }} />
      ))}
    </Bar>
  )
}

const columns: Column<ModeStatistics>[] = [
  {
    header: msg`Mode`,
    width: '5rem',
    cell: ({ mode }) => <styled.span overflowWrap="normal">{mode ?? t`Unknown`}</styled.span>,
  },
  {
    header: msg({ message: 'Finished', context: 'how many maps' }),
    width: '4rem',
    cell: ({ finished, of }) => (
      <styled.span whiteSpace="nowrap">{t`${formatNumber(finished)} of ${formatNumber(of)}`}</styled.span>
    ),
  },
  {
    header: msg({ message: 'Share', context: 'part of the maps' }),
    width: '70%',
    hideBelow: 'sm',
    cell: (row) => <MedalBar {...row} />,
  },
  ...MEDALS.map(
    (medal): Column<ModeStatistics> => ({
      header: {
        author: msg({ message: 'Author', context: 'medal' }),
        gold: msg`Gold`,
        silver: msg`Silver`,
        bronze: msg`Bronze`,
      }[medal],
      width: '2rem',
      align: 'end',
      cell: ({ medals }) => (
        <styled.span title={medalName(medal)} color={medals[medal] > 0 ? 'fg' : 'fg.subtle'}>
          {formatNumber(medals[medal])}
        </styled.span>
      ),
    }),
  ),
  {
    header: msg`No medal`,
    width: '2rem',
    align: 'end',
    muted: true,
    hideBelow: 'sm',
    cell: ({ medals }) => formatNumber(medals.none),
  },
]
