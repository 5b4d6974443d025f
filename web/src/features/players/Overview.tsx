import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import {
  type BestPlacement,
  type ListedRecord,
  type Player,
  useGetMapQuery,
  useGetPlayerStatisticsQuery,
  useListRankingsQuery,
  useListRecordsQuery,
} from '@/api'
import { errorText } from '@/api/error'
import { MapPicture } from '@/entities/map/MapPicture'
import { PlayerName } from '@/entities/player/PlayerName'
import { formatPoints } from '@/entities/points/format'
import { ordinal } from '@/entities/points/texts'
import { RecordTime, Time } from '@/entities/record/Time'
import { paths } from '@/routes/paths'
import { useSession } from '@/store/hooks'
import { Box, type Column, DataTable, Flex, Grid, HStack, Name, Skeleton, Stack, styled } from '@/ui'
import { DateTime, formatNumber } from '@/ui/format'
import { SectionHeading } from '@/ui/headings'
import { ButtonLink, PageLink } from '@/ui/links'
import { Listing } from '@/ui/lists'
import { EmptyMessage, ErrorAlert } from '@/ui/messages'
import { usePainted } from '@/ui/usePainted'
import { BEST_RECORDS, latestRecords, playerStatistics, RIVALS, rankingAround } from './queries'

/** The best and the latest of a player, and the players next to them in the ranking. */
export function Overview({ player }: { player: Player }) {
  const own = useSession()?._id === player._id
  if (player.recordCount === 0) return own ? <FirstSteps /> : <NoRecords />
  return (
    <>
      <BestRecords playerId={player._id} />
      <Grid
        gridTemplateColumns={{ base: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' }}
        gap="10"
        alignItems="start"
      >
        <LatestRecords playerId={player._id} />
        <Rivals playerId={player._id} />
      </Grid>
    </>
  )
}

/** What a new player does first. */
function FirstSteps() {
  return (
    <EmptyMessage
      title={t`Your profile begins with a record.`}
      hint={t`Choose an easy map, finish it in the game, and submit its replay: your times, medals and points are shown here.`}
    >
      <HStack gap="3" flexWrap="wrap" justify="center">
        <ButtonLink to={paths.allMaps}>
          <Trans>Explore Maps</Trans>
        </ButtonLink>
        <ButtonLink to={paths.recordSubmit} variant="outline">
          <Trans>Submit Record</Trans>
        </ButtonLink>
      </HStack>
    </EmptyMessage>
  )
}

const NoRecords = () => <EmptyMessage title={t`No records yet.`} hint={t`Accepted records are listed here.`} />

function BestRecords({ playerId }: { playerId: string }) {
  const query = useGetPlayerStatisticsQuery(playerStatistics(playerId))
  const best = query.currentData?.data.bestPlacements.slice(0, BEST_RECORDS)
  if (best?.length === 0) return null
  return (
    <section>
      <SectionHeading>
        <Trans>Best records</Trans>
      </SectionHeading>
      {query.error && !best ? (
        <ErrorAlert text={errorText(query.error, t`Failed to load the records`)} onRetry={query.refetch} />
      ) : (
        <Grid
          as="ul"
          gridTemplateColumns={{ base: 'repeat(2, minmax(0, 1fr))', md: 'repeat(3, minmax(0, 1fr))' }}
          gap="4"
        >
          {best
            ? best.map((placement) => <BestRecord key={placement.record} placement={placement} />)
            : [...Array(BEST_RECORDS).keys()].map((i) => (
                <Skeleton as="li" key={i} aspectRatio="3/2" rounded="l3" aria-hidden="true" />
              ))}
        </Grid>
      )}
    </section>
  )
}

const Card = styled('li', {
  base: {
    position: 'relative',
    overflow: 'hidden',
    rounded: 'l3',
    borderWidth: '1px',
    bg: 'bg.panel',
    shadow: 'card',
    // The link of the record is as large as the card; that of the map is above it.
    '& a:first-of-type::before': { content: '""', position: 'absolute', inset: '0' },
  },
})

/** A place on a leaderboard before the picture of its map. */
function BestRecord({ placement: { map, record, rank, finishTime } }: { placement: BestPlacement }) {
  const painted = usePainted()
  const shown = useGetMapQuery({ id: map._id }, { skip: !painted }).currentData?.data
  return (
    <Card>
      <MapPicture src={shown?.thumbnailUrl} waiting={!shown} />
      <Box
        position="absolute"
        top="2"
        insetStart="2"
        px="2"
        rounded="full"
        bg="bg.panel/90"
        color={rank === 1 ? 'first.fg' : 'fg'}
        fontFamily="heading"
        fontWeight="bold"
      >
        {ordinal(rank)}
      </Box>
      <Flex wrap="wrap" justify="space-between" columnGap="3" p="3">
        <PageLink to={paths.record(record)} color="inherit">
          <Time ms={finishTime} />
        </PageLink>
        <PageLink to={paths.leaderboard(map._id)} position="relative" maxW="full">
          <Name>{map.name}</Name>
        </PageLink>
      </Flex>
    </Card>
  )
}

const columns: Column<ListedRecord>[] = [
  {
    header: msg`Map`,
    width: '70%',
    cell: ({ map }) => (
      <PageLink to={paths.leaderboard(map._id)}>
        <Name>{map.name}</Name>
      </PageLink>
    ),
  },
  { header: msg`Time`, width: '5rem', cell: (record) => <RecordTime record={record} /> },
  { header: msg`Date`, width: '5rem', muted: true, cell: ({ finishTimeStamp }) => <DateTime iso={finishTimeStamp} /> },
]

function LatestRecords({ playerId }: { playerId: string }) {
  const query = useListRecordsQuery(latestRecords(playerId))
  return (
    <section>
      <SectionHeading
        aside={
          <PageLink to={paths.playerTab(playerId, 'records')}>
            <Trans>All records</Trans>
          </PageLink>
        }
      >
        <Trans>Latest records</Trans>
      </SectionHeading>
      <Listing
        query={query}
        failed={<ErrorAlert text={errorText(query.error, t`Failed to load the records`)} onRetry={query.refetch} />}
        empty={<NoRecords />}
      >
        {(records) => (
          <DataTable
            label={t`Latest records`}
            columns={columns}
            rows={records}
            idOf={({ _id }) => _id}
            skeletonRows={5}
          />
        )}
      </Listing>
    </section>
  )
}

/** The players next to this one in the ranking by points. A player without a rank has none. */
function Rivals({ playerId }: { playerId: string }) {
  const rows = useListRankingsQuery(rankingAround(playerId)).currentData?.data ?? []
  const own = rows.findIndex(({ player }) => player._id === playerId)
  const rivals = own < 0 ? [] : rows.slice(Math.max(0, own - RIVALS), own + RIVALS + 1)
  if (rivals.length < 2) return null
  return (
    <section>
      <SectionHeading
        aside={
          <PageLink to={paths.rankingAround(playerId)}>
            <Trans>Show in the ranking</Trans>
          </PageLink>
        }
      >
        <Trans>Rivals</Trans>
      </SectionHeading>
      <Stack as="ul" gap="0">
        {rivals.map(({ rank, player, points }) => (
          <HStack as="li" key={player._id} gap="3" minH="11" fontWeight={player._id === playerId ? 'bold' : undefined}>
            <styled.span fontFamily="heading" minW="8" textAlign="end" color="fg.muted">
              {formatNumber(rank)}
            </styled.span>
            <Box flex="1" minW="0">
              <PlayerName player={player} />
            </Box>
            <styled.span fontFamily="heading" fontVariantNumeric="tabular-nums">
              {formatPoints(points)}
            </styled.span>
            <Box w="20">
              {player._id !== playerId && (
                <PageLink
                  to={paths.compare(playerId, player._id)}
                  textStyle="sm"
                  aria-label={t`Compare with ${player.name}`}
                >
                  <Trans>Compare</Trans>
                </PageLink>
              )}
            </Box>
          </HStack>
        ))}
      </Stack>
    </section>
  )
}
