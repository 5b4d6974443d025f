import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Suspense, useState } from 'react'
import { type ParkourMap, useGetMapHistoryQuery } from '@/api'
import { PlayerName } from '@/entities/player/PlayerName'
import { OwnProgress } from '@/entities/progress/OwnProgress'
import { Time } from '@/entities/record/Time'
import { paths } from '@/routes/paths'
import { Box, type Elements, Flex, Panel, Skeleton, Text } from '@/ui'
import { durationText } from '@/ui/format'
import { lazyPart } from '@/ui/lazyPart'
import { PageLink } from '@/ui/links'
import { usePainted } from '@/ui/usePainted'

// Without its code nothing is shown, as without its data.
const MapPoints = lazyPart(() => import('./MapPoints'))

interface Props {
  mapId: string
  /** Undefined while it loads; the card has its height from the beginning. */
  map: ParkourMap | undefined
  /** Says that the world record is being looked at. */
  notice?: Elements
}

/** The world record of a map with its holder and for how long it stands, the visitor's own progress, and what places are worth. */
export function RecordCard({ mapId, map, notice }: Props) {
  return (
    <Panel as="section" aria-label={t`World record`} display="grid" rowGap="2" mb="6" px="4" py="3">
      <Flex
        direction={{ base: 'column', sm: 'row' }}
        align={{ sm: 'center' }}
        columnGap="5"
        rowGap="1"
        minH={{ base: '16', sm: '8' }}
      >
        {map ? <WorldRecord map={map} /> : <Skeleton h="8" w="full" />}
      </Flex>
      {notice}
      <OwnProgress map={mapId} maps={mapId} wide />
      <Box minH={{ base: '14', sm: '8' }} textStyle="sm" color="fg.muted">
        <Suspense>
          <MapPoints mapId={mapId} />
        </Suspense>
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
    <>
      <Flex align="center" justify="space-between" columnGap="5" minH="8">
        <Text fontWeight="semibold" color="brand.fg" whiteSpace="nowrap">
          <Trans>World record</Trans>
        </Text>
        {worldRecord ? (
          <PageLink to={paths.record(worldRecord._id)} color="inherit" textStyle="xl">
            <Time ms={worldRecord.finishTime} />
          </PageLink>
        ) : (
          <Text color="fg.muted">
            <Trans>None yet</Trans>
          </Text>
        )}
      </Flex>
      {worldRecord && (
        <Flex align="center" justify="space-between" columnGap="5" flex="1" minW="0">
          <PlayerName player={worldRecord.player} />
          <Text textStyle="sm" color="fg.muted" whiteSpace={{ sm: 'nowrap' }} textAlign="end">
            {standing && <Trans>Has stood for {standing}</Trans>}
          </Text>
        </Flex>
      )}
    </>
  )
}
