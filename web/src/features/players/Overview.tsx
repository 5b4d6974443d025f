import { t } from '@lingui/core/macro'
import { type BestPlacement, type Player, useGetMapQuery, useGetPlayerStatisticsQuery } from '@/api'
import { QueryAlert } from '@/api/Loaded'
import { MapPicture } from '@/entities/map/MapPicture'
import { MapLink } from '@/entities/map/more/MapLink'
import { ordinal } from '@/entities/points/texts'
import { TimeLink } from '@/entities/record/Time'
import { Box, Flex, Grid, Skeleton, styled } from '@/ui'
import { LazyParts, lazyPart } from '@/ui/lazyPart'
import { Part } from '@/ui/Part'
import { usePainted } from '@/ui/usePainted'
import { NewPlayer } from './NewPlayer'
import { BEST_RECORDS } from './queries'

// Below the first screen. Without its code it is not shown.
const LatestAndRivals = lazyPart(() => import('./LatestAndRivals'))

/** The best and the latest of a player, and the players next to them in the ranking. */
export function Overview({ player }: { player: Player }) {
  if (player.recordCount === 0) return <NewPlayer playerId={player._id} />
  return (
    <>
      <BestRecords playerId={player._id} />
      <LazyParts fallback={<Skeleton h="24rem" rounded="l3" aria-hidden="true" />}>
        <LatestAndRivals playerId={player._id} />
      </LazyParts>
    </>
  )
}

function BestRecords({ playerId }: { playerId: string }) {
  const query = useGetPlayerStatisticsQuery({ id: playerId })
  const best = query.currentData?.data.bestPlacements.slice(0, BEST_RECORDS)
  if (best?.length === 0) return null
  return (
    <Part title={t`Best records`}>
      {query.error && !best ? (
        <QueryAlert query={query} />
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
    </Part>
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
      <Flex direction={{ base: 'column', md: 'row' }} wrap="wrap" justify="space-between" columnGap="3" p="3">
        <TimeLink id={record} ms={finishTime} />
        <MapLink map={map} position="relative" maxW="full" />
      </Flex>
    </Card>
  )
}
