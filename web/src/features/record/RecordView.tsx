import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type RecordDetails, useGetMapQuery } from '@/api'
import { MapLink } from '@/entities/map/more/MapLink'
import { PlayerName } from '@/entities/player/PlayerName'
import { formatDifference } from '@/entities/record/raceTime'
import { paths } from '@/routes/paths'
import { Badge, DataList, Name, Panel, Sky } from '@/ui'
import { Fact } from '@/ui/Facts'
import { DateTime, formatNumber } from '@/ui/format'
import { LazyParts, lazyPart } from '@/ui/lazyPart'
import { PageLink } from '@/ui/links'

// Without its code its place stays empty.
const Course = lazyPart(() => import('@/entities/progress/Course'))

/** A record on the course of its map, and what it is compared with. */
export function RecordView({ record }: { record: RecordDetails }) {
  const { player, map, finishTime } = record
  const medals = useGetMapQuery({ id: map._id }).currentData?.data.medalTimes
  return (
    <Panel as="section" aria-label={t`Record`} overflow="hidden">
      <Sky overflow="hidden" pt="3" minH="10.5rem">
        {medals && (
          <LazyParts>
            <Course
              scale="medium"
              medals={medals}
              worldRecord={record.worldRecord?.finishTime ?? null}
              ball={{ ms: finishTime, player, isRecord: true }}
            />
          </LazyParts>
        )}
      </Sky>
      <RecordFacts record={record} />
    </Panel>
  )
}

function RecordFacts({ record }: { record: RecordDetails }) {
  const { map, finishTime, nextAbove, worldRecord, previousBest, previousWorldRecord, rankAtSubmission } = record
  const notBest = t`Not the personal best`
  const none = t`None`
  return (
    <DataList.Root
      display="grid"
      gridTemplateColumns={{ base: '1fr 1fr', sm: 'repeat(3, 1fr)', lg: 'repeat(5, 1fr)' }}
      gap="4"
      p={{ base: '4', md: '6' }}
    >
      <Fact label={t`Player`}>
        <PlayerName player={record.player} />
      </Fact>
      <Fact label={t`Map`}>
        <MapLink map={map} />
        {!record.newestVersion && <Badge>{t`Version ${record.mapVersion}`}</Badge>}
      </Fact>
      <Fact label={t`Date`}>
        <DateTime iso={record.finishTimeStamp} />
      </Fact>
      <Fact label={t`Rank now`}>{record.rank ? formatNumber(record.rank) : notBest}</Fact>
      <Fact label={t`Rank when set`}>{rankAtSubmission === null ? notBest : formatNumber(rankAtSubmission)}</Fact>
      <Fact label={t`Next above`}>
        {nextAbove ? (
          <PageLink to={paths.record(nextAbove._id)}>
            <Trans>
              {formatDifference(nextAbove.gap)} behind <Name>{nextAbove.player.name}</Name>
            </Trans>
          </PageLink>
        ) : record.rank ? (
          none
        ) : (
          notBest
        )}
      </Fact>
      <Fact label={t`World record`}>
        {worldRecord?._id === record._id ? (
          <Badge variant="outline" color="first.fg">{t`This record`}</Badge>
        ) : worldRecord ? (
          <PageLink to={paths.record(worldRecord._id)}>
            {record.equalsWorldRecord ? (
              <Trans>
                Equals that of <Name>{worldRecord.player.name}</Name>
              </Trans>
            ) : (
              <Trans>
                {formatDifference(finishTime - worldRecord.finishTime)} behind <Name>{worldRecord.player.name}</Name>
              </Trans>
            )}
          </PageLink>
        ) : (
          none
        )}
      </Fact>
      <Fact label={t`World record before`}>
        {previousWorldRecord === null ? (
          none
        ) : (
          <span translate="no">{formatDifference(finishTime - previousWorldRecord)}</span>
        )}
      </Fact>
      <Fact label={t`Personal best before`}>
        {previousBest === null ? none : <span translate="no">{formatDifference(finishTime - previousBest)}</span>}
      </Fact>
      <Fact label={t`Submitted`}>
        <DateTime iso={record.createdAt} />
      </Fact>
    </DataList.Root>
  )
}
