import type { ReactNode } from 'react'
import { formatTime } from '@/entities/record/raceTime'
import { Badge, Box, DataList, Heading, List } from '@/ui'
import { formatMoment } from '@/ui/DateTime'
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
      <Hints replay={replay} />
    </Box>
  )
}

const timestampFaults = {
  unreadable: 'cannot be read',
  too_old: 'is older than the game',
  ahead: 'is in the future',
}

// The irregularities of a file, some of which the server refuses.
function Hints({ replay }: { replay: Replay }) {
  const hints = replay.disagreements.map(
    ({ subject, label, data }) =>
      `The file gives the ${subject} as "${label}", but the map in it says "${data}". Such a file is refused.`,
  )
  if (replay.timestampMissing) {
    hints.push('The file does not say when the record was made. The time shown is the present.')
  }
  if (replay.timestampFault) {
    const fault = timestampFaults[replay.timestampFault]
    hints.push(`The time stamp ${fault}. Such a file is refused. The time shown is the present.`)
  }
  if (hints.length === 0) return null
  return (
    <List.Root mt="4" ps="5" gap="1" textStyle="sm" color="fg.muted" aria-label="Hints">
      {hints.map((hint) => (
        <List.Item key={hint}>{hint}</List.Item>
      ))}
    </List.Root>
  )
}
