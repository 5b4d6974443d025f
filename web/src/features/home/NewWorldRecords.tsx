import { t } from '@lingui/core/macro'
import { type ListedWorldRecord, useListWorldRecordsQuery } from '@/api'
import { Listing } from '@/api/Listing'
import { LoadFailure, useLoggedError } from '@/api/more/LoadFailure'
import { MapPicture } from '@/entities/map/MapPicture'
import { PlayerName } from '@/entities/player/PlayerName'
import { Time } from '@/entities/record/Time'
import { paths } from '@/routes/paths'
import { Box, Flex, Name, Skeleton, Stack, styled } from '@/ui'
import { DividedList } from '@/ui/DividedList'
import { DateTime } from '@/ui/format'
import { PageLink } from '@/ui/links'
import { idOf, range } from '@/ui/lists'
import { LiveArea, useLiveRows } from '@/ui/live'
import { EmptyMessage } from '@/ui/messages'
import { Ago } from '@/ui/more/Ago'
import { Part } from '@/ui/Part'
import { NEWEST_WORLD_RECORDS } from './queries'

/** The newest world records of all maps, each with the picture of its map. */
export function NewWorldRecords() {
  const query = useListWorldRecordsQuery(NEWEST_WORLD_RECORDS)
  useLoggedError('Failed to load the newest world records', query.error)
  const live = useLiveRows(query.currentData?.data, idOf, 'world-records')
  return (
    <Part title={t`New World Records`}>
      <Listing
        query={query}
        failed={<LoadFailure title={t`The world records could not be loaded.`} onRetry={query.refetch} />}
        empty={
          <EmptyMessage title={t`No world records yet.`} hint={t`The first record on a map is its world record.`} />
        }
      >
        {() => (
          <LiveArea live={live} waitingText={t`New world record: show`}>
            <DividedList aria-busy={!live.rows}>
              {live.rows
                ? live.rows.map((record) => <WorldRecord key={record._id} record={record} isNew={live.isNew(record)} />)
                : range(NEWEST_WORLD_RECORDS.limit).map((i) => (
                    <Row key={i}>
                      <Skeleton h="12" w="full" />
                    </Row>
                  ))}
            </DividedList>
          </LiveArea>
        )}
      </Listing>
    </Part>
  )
}

const Row = styled('li', {
  base: {
    display: 'flex',
    alignItems: 'center',
    gap: '3',
    minH: '14',
    py: '1',
    _motionSafe: { transition: 'background-color 0.6s' },
    '&[data-new]': { bgColor: 'bg.muted' },
  },
})

function WorldRecord({ record, isNew }: { record: ListedWorldRecord; isNew: boolean }) {
  const { map, player, finishTime, previousWorldRecord } = record
  return (
    <Row data-new={isNew || undefined}>
      <Box w="4rem" flexShrink="0" rounded="l2" overflow="hidden">
        <MapPicture src={record.mapPictureUrl} eager />
      </Box>
      <Stack gap="0.5" flex="1" minW="0">
        <PageLink to={paths.leaderboard(map._id)} color="inherit" fontWeight="semibold" maxW="full">
          <styled.span minW="0">
            <Name>{map.name}</Name>
          </styled.span>
        </PageLink>
        <Box textStyle="sm" color="fg.muted">
          <PlayerName player={player} size={5} />
        </Box>
      </Stack>
      <Stack gap="0.5" flexShrink="0" align="flex-end">
        <Flex gap="2" align="baseline">
          {previousWorldRecord !== null && (
            <Box textStyle="xs" color="fg.muted" hideBelow="sm">
              <Time ms={finishTime - previousWorldRecord} difference />
            </Box>
          )}
          <PageLink to={paths.record(record._id)} color="first.fg">
            <Time ms={finishTime} />
          </PageLink>
        </Flex>
        <Flex direction="column" align="end" textStyle="xs" color="fg.muted">
          <Ago iso={record.createdAt} />
          <DateTime iso={record.createdAt} />
        </Flex>
      </Stack>
    </Row>
  )
}
