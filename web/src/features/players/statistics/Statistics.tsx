import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type BestPlacement, type Player, type PlayerStatistics, useGetPlayerStatisticsQuery } from '@/api'
import { Loaded } from '@/api/Loaded'
import { mapColumn } from '@/entities/map/more/mapColumn'
import { TimeLink } from '@/entities/record/Time'
import { paths } from '@/routes/paths'
import { type Column, DataTable, Name, Skeleton, Stack, styled } from '@/ui'
import { Fact, Facts } from '@/ui/Facts'
import { DateTime, durationText, formatNumber } from '@/ui/format'
import { PageLink } from '@/ui/links'
import { EmptyMessage } from '@/ui/messages'
import { InnerPart } from '@/ui/Part'
import { Activity } from './Activity'
import { FinishedMaps } from './FinishedMaps'
import { Improvements } from './Improvements'
import { LostWorldRecords } from './LostWorldRecords'

/** The finished maps, world records and their losses, places, improvements and months of a player. */
export default function Statistics({ player: { _id: playerId } }: { player: Player }) {
  const query = useGetPlayerStatisticsQuery({ id: playerId })
  return (
    <Loaded
      query={query}
      skeleton={<Skeleton h="40rem" rounded="l3" role="status" aria-label={t`Loading the statistics`} />}
    >
      {(statistics) => (
        <Stack gap="8">
          <FinishedMaps {...statistics} />
          <WorldRecords worldRecords={statistics.worldRecords} />
          <LostWorldRecords lost={statistics.lostWorldRecords} />
          <InnerPart title={t`Best placements`}>
            {statistics.bestPlacements.length > 0 ? (
              <DataTable
                label={t`Best placements`}
                columns={placementColumns}
                rows={statistics.bestPlacements}
                idOf={({ record }) => record}
              />
            ) : (
              <EmptyMessage title={t`No places yet.`} hint={t`The best places on leaderboards are listed here.`} />
            )}
          </InnerPart>
          <Improvements playerId={playerId} />
          <Activity activity={statistics.activity} />
        </Stack>
      )}
    </Loaded>
  )
}

const placementColumns: Column<BestPlacement>[] = [
  mapColumn,
  { header: msg`Mode`, width: '4rem', hideBelow: 'md', muted: true, cell: ({ mode }) => mode ?? t`Unknown` },
  {
    header: msg`Place`,
    width: '4rem',
    cell: ({ rank, of }) => (
      <styled.span whiteSpace="nowrap">{t`${formatNumber(rank)} of ${formatNumber(of)}`}</styled.span>
    ),
  },
  {
    header: msg`Time`,
    width: '4rem',
    cell: ({ record, finishTime }) => <TimeLink id={record} ms={finishTime} />,
  },
]

function WorldRecords({ worldRecords: { now, ever, longestReign } }: Pick<PlayerStatistics, 'worldRecords'>) {
  return (
    <InnerPart title={t`World records`}>
      <Facts>
        <Fact strong label={t`Held now`}>
          {formatNumber(now)}
        </Fact>
        <Fact strong label={t`Ever held`}>
          {formatNumber(ever)}
        </Fact>
        <Fact strong label={t`Longest reign`}>
          {longestReign ? (
            <span>
              <PageLink to={paths.record(longestReign.record)}>{durationText(longestReign.milliseconds)}</PageLink>{' '}
              <Trans>
                on <Name>{longestReign.map.name}</Name>, since <DateTime iso={longestReign.from} />
              </Trans>
            </span>
          ) : (
            t`None yet`
          )}
        </Fact>
      </Facts>
    </InnerPart>
  )
}
