import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { type ParkourMap, useGetMapHistoryQuery } from '@/api'
import { PlayerName } from '@/entities/player/PlayerName'
import { formatTime } from '@/entities/record/raceTime'
import { paths } from '@/routes/paths'
import { Box, type Elements, Flex, Panel, Skeleton, Sky, Text } from '@/ui'
import { durationText } from '@/ui/format'
import { LazyParts, lazyPart } from '@/ui/lazyPart'
import { PageLink } from '@/ui/links'
import { usePainted } from '@/ui/usePainted'

// Without their code nothing is shown, as without their data.
const MapCourse = lazyPart(() => import('./MapCourse'))
const MapPoints = lazyPart(() => import('./MapPoints'))

interface Props {
  mapId: string
  /** Undefined while it loads; the card has its height from the beginning. */
  map: ParkourMap | undefined
  /** Says that the world record is being looked at. */
  notice?: Elements
}

/** The world record of a map with its holder and for how long it stands, the course, and what places are worth. */
export function RecordCard({ mapId, map, notice }: Props) {
  return (
    <Panel as="section" aria-label={t`World record`} overflow="hidden" mb="6">
      <Sky display={{ md: 'flex' }} alignItems="flex-end" gap="4" p="4" minH={{ base: '20rem', md: '15rem' }}>
        {map ? <WorldRecord map={map} /> : <Skeleton h="20" w="full" />}
        <Box flex="1" minW="0" w="full">
          <LazyParts>{map && <MapCourse map={map} />}</LazyParts>
        </Box>
      </Sky>
      <Box px="4" py="3" minH={{ base: '5rem', sm: '3.5rem' }} textStyle="sm" color="fg.muted">
        {notice}
        <LazyParts>
          <MapPoints mapId={mapId} />
        </LazyParts>
      </Box>
    </Panel>
  )
}

function WorldRecord({ map: { _id, worldRecord } }: { map: ParkourMap }) {
  const painted = usePainted()
  // The history below has the same query.
  const { currentData } = useGetMapHistoryQuery({ id: _id }, { skip: !painted })
  const [now] = useState(Date.now)
  const step = currentData?.data.steps.findLast((record) => record._id === worldRecord?._id)
  const standing = step && durationText(now - Date.parse(step.from))
  return (
    <Flex
      alignSelf="stretch"
      direction="column"
      align="flex-start"
      justify="space-between"
      gap="1"
      minW="0"
      w={{ md: '12rem' }}
    >
      <div>
        <Text fontWeight="semibold" color="first.fg" lineHeight="1.2">{t`World record`}</Text>
        {worldRecord ? (
          <PageLink
            to={paths.record(worldRecord._id)}
            color="inherit"
            fontFamily="heading"
            fontWeight="bold"
            fontSize="5xl"
            lineHeight="1.1"
            htmlTranslate="no"
          >
            {formatTime(worldRecord.finishTime)}
          </PageLink>
        ) : (
          <Text>{t`None yet`}</Text>
        )}
      </div>
      {worldRecord && (
        <Box minW="0" maxW="full">
          <PlayerName player={worldRecord.player} />
          {/* Its line is there before it is known. */}
          <Text textStyle="sm" minH="5">
            {standing && <Trans>Has stood for {standing}</Trans>}
          </Text>
        </Box>
      )}
    </Flex>
  )
}
