import type { ReactNode } from 'react'
import { formatTime } from '@/entities/record/raceTime'
import { Badge, Box, DataList, Heading } from '@/ui'
import { formatMoment } from '@/ui/format'
import type { Replay } from './readReplay'

/** What was read from a replay. The server reads the file again and decides by its own result. */
export function ReplayDetails({ replay }: { replay: Replay }) {
  const facts: [string, ReactNode][] = [
    ['Map name', replay.mapName],
    ['Author', replay.mapAuthor],
    ['Game mode', replay.gameMode],
    ['Game map id', replay.mapId],
    ['Player name', replay.playerName],
    ['Level', replay.playerLevel],
    ['Finish time', <b key="time">{formatTime(replay.finishTime)}</b>],
    ['Timestamp', formatMoment(replay.timestamp)],
    ['Mod version', replay.replayVersion || 'Unknown'],
    ['Game version', replay.gameVersion || 'Unknown'],
    [
      'Validated',
      <Badge key="validated" colorPalette={replay.validated ? 'green' : 'red'}>
        {replay.validated ? 'Yes' : 'No'}
      </Badge>,
    ],
  ]
  return (
    <Box as="section" aria-labelledby="replay-info" borderWidth="1px" rounded="l3" bg="bg.panel" p="4">
      <Heading as="h2" id="replay-info" textStyle="lg" mb="3">
        Replay info
      </Heading>
      <DataList.Root
        display="grid"
        gridTemplateColumns={{ base: '1fr 1fr', md: 'repeat(4, 1fr)' }}
        columnGap="4"
        rowGap="3"
      >
        {facts.map(([label, value]) => (
          <DataList.Item key={label} flexDirection="column" gap="0" minW="0">
            <DataList.ItemLabel textStyle="xs">{label}</DataList.ItemLabel>
            <DataList.ItemValue textStyle="md" fontVariantNumeric="tabular-nums">
              {value}
            </DataList.ItemValue>
          </DataList.Item>
        ))}
      </DataList.Root>
    </Box>
  )
}
