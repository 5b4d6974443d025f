import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { formatTime } from '@/entities/record/raceTime'
import { Badge, DataList, Heading, Name, Panel } from '@/ui'
import { Fact } from '@/ui/Facts'
import { formatMoment } from '@/ui/format'
import type { Replay } from './readReplay'

/** What was read from a replay. The server reads the file again and decides by its own result. */
export function ReplayDetails({ replay }: { replay: Replay }) {
  const unknown = t`Unknown`
  const nameOr = (name: string | null) => (name === null ? unknown : <Name key={name}>{name}</Name>)
  const facts: [string, ReactNode][] = [
    [t`Map name`, nameOr(replay.mapName)],
    [t`Author`, nameOr(replay.mapAuthor)],
    [t`Game mode`, replay.gameMode ?? t`View v1.3.0+`],
    [t`Game map id`, replay.mapId],
    [t`Player name`, nameOr(replay.playerName)],
    [t`Level`, replay.playerLevel],
    [
      t`Finish time`,
      <b key="time" translate="no">
        {formatTime(replay.finishTime)}
      </b>,
    ],
    [t`Timestamp`, formatMoment(replay.timestamp)],
    [t`Mod version`, replay.replayVersion || unknown],
    [t`Game version`, replay.gameVersion || unknown],
    [
      t`Validated`,
      <Badge key="validated" colorPalette={replay.validated ? 'green' : 'red'}>
        {replay.validated ? t`Yes` : t`No`}
      </Badge>,
    ],
  ]
  return (
    <Panel as="section" aria-labelledby="replay-info" p="4">
      <Heading as="h2" id="replay-info" textStyle="lg" mb="3">{t`Replay info`}</Heading>
      <DataList.Root
        display="grid"
        gridTemplateColumns={{ base: '1fr 1fr', md: 'repeat(4, 1fr)' }}
        columnGap="4"
        rowGap="3"
      >
        {facts.map(([label, value]) => (
          <Fact strong key={label} label={label}>
            {value}
          </Fact>
        ))}
      </DataList.Root>
    </Panel>
  )
}
