import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useListRankingsQuery, useListRecordsQuery } from '@/api'
import { Listing } from '@/api/Listing'
import { PlayerName } from '@/entities/player/PlayerName'
import { formatPoints } from '@/entities/points/format'
import { paths } from '@/routes/paths'
import { Box, DataTable, Grid, HStack, Stack, styled } from '@/ui'
import { formatNumber } from '@/ui/format'
import { PageLink } from '@/ui/links'
import { EmptyMessage } from '@/ui/messages'
import { Part } from '@/ui/Part'
import { latestRecords, RIVALS, rankingAround } from './queries'
import { recordColumns } from './recordColumns'

/** The newest records of a player, and the players next to them in the ranking. */
export default function LatestAndRivals({ playerId }: { playerId: string }) {
  return (
    <Grid gridTemplateColumns={{ base: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' }} gap="10" alignItems="start">
      <LatestRecords playerId={playerId} />
      <Rivals playerId={playerId} />
    </Grid>
  )
}

function LatestRecords({ playerId }: { playerId: string }) {
  const query = useListRecordsQuery(latestRecords(playerId))
  return (
    <Part
      title={t`Latest records`}
      aside={
        <PageLink to={paths.playerTab(playerId, 'records')}>
          <Trans>All records</Trans>
        </PageLink>
      }
    >
      <Listing
        query={query}
        messages={t`Failed to load the records`}
        empty={<EmptyMessage title={t`No records yet.`} hint={t`Accepted records are listed here.`} />}
      >
        {(records) => (
          <DataTable
            label={t`Latest records`}
            columns={recordColumns}
            rows={records}
            idOf={({ _id }) => _id}
            skeletonRows={5}
          />
        )}
      </Listing>
    </Part>
  )
}

/** The players next to this one in the ranking by points. A player without a rank has none. */
function Rivals({ playerId }: { playerId: string }) {
  const rows = useListRankingsQuery(rankingAround(playerId)).currentData?.data ?? []
  const own = rows.findIndex(({ player }) => player._id === playerId)
  const rivals = own < 0 ? [] : rows.slice(Math.max(0, own - RIVALS), own + RIVALS + 1)
  if (rivals.length < 2) return null
  return (
    <Part
      title={t`Rivals`}
      aside={
        <PageLink to={paths.rankingAround(playerId)}>
          <Trans>Show in the ranking</Trans>
        </PageLink>
      }
    >
      <Stack as="ul" gap="0">
        {rivals.map(({ rank, player, points }) => (
          <HStack
            as="li"
            key={player._id}
            gap={{ base: '2', sm: '3' }}
            minH="11"
            fontWeight={player._id === playerId ? 'bold' : undefined}
          >
            <styled.span fontFamily="heading" minW={{ base: '6', sm: '8' }} textAlign="end" color="fg.muted">
              {formatNumber(rank)}
            </styled.span>
            <Box flex="1" minW="0">
              <PlayerName player={player} />
            </Box>
            <styled.span fontFamily="heading" fontVariantNumeric="tabular-nums">
              {formatPoints(points)}
            </styled.span>
            <Box minW={{ base: '16', sm: '20' }} whiteSpace="nowrap">
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
    </Part>
  )
}
