import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { type ParkourMap, useGetMapHistoryQuery } from '@/api'
import { PlayerName } from '@/entities/player/PlayerName'
import { Time } from '@/entities/record/Time'
import { paths } from '@/routes/paths'
import { Flex, Panel, Text } from '@/ui'
import { PageLink } from '@/ui/links'
import { durationText } from './history/durationText'

/** The world record of a map: its time, its holder, and for how long it stands. It is absent where there is none. */
export function RecordCard({ map }: { map: ParkourMap }) {
  const record = map.worldRecord
  // The history below has the same query.
  const { currentData } = useGetMapHistoryQuery({ id: map._id })
  const [now] = useState(Date.now)
  if (!record) return null
  const step = currentData?.data.steps.findLast(({ _id }) => _id === record._id)
  const standing = step && durationText(now - Date.parse(step.from))
  return (
    <Panel as="section" aria-label={t`World record`} mb="6" px="4" py="3">
      <Flex wrap="wrap" align="center" columnGap="5" rowGap="1" minH="8">
        <Text fontWeight="semibold" color="brand.fg">
          <Trans>World record</Trans>
        </Text>
        <PageLink to={paths.record(record._id)} color="inherit" textStyle="xl">
          <Time ms={record.finishTime} />
        </PageLink>
        <PlayerName player={record.player} />
        <Text textStyle="sm" color="fg.muted" ms={{ sm: 'auto' }} minH="5">
          {standing && <Trans>Stands for {standing}</Trans>}
        </Text>
      </Flex>
    </Panel>
  )
}
