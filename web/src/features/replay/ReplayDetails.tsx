import { Box, chakra, Heading, List } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { Badge } from '@/shared/components/Badge'
import { formatMoment } from '@/shared/lib/dates'
import { formatTime } from '@/shared/lib/raceTime'
import type { ReplayInfo } from './replayInfo'

const Terms = chakra('dl')
const Term = chakra('dt')
const Value = chakra('dd')

// ReplayDetails shows what was read of a replay. The server reads the file again and believes only itself.
export function ReplayDetails({ replay }: { replay: ReplayInfo }) {
  const facts: [string, ReactNode][] = [
    ['Map name', replay.mapName],
    ['Author', replay.mapAuthor],
    ['Game mode', replay.gameMode],
    ['Game map id', replay.mapId],
    ['Player name', replay.playerName],
    ['Level', replay.playerLevel],
    ['Finish time', <chakra.b key="time">{formatTime(replay.finishTime)}</chakra.b>],
    ['Timestamp', formatMoment(replay.timestamp.toISOString())],
    ['Mod version', replay.replayVersion || 'Unknown'],
    ['Game version', replay.gameVersion || 'Unknown'],
    [
      'Validated',
      <Badge key="validated" colour={replay.validated ? 'green' : 'red'}>
        {replay.validated ? 'Yes' : 'No'}
      </Badge>,
    ],
  ]
  return (
    <Box as="section" aria-labelledby="replay-info" borderWidth="1px" rounded="l3" bg="bg.panel" p="4">
      <Heading as="h2" id="replay-info" textStyle="lg" mb="3">
        Replay info
      </Heading>
      <Terms
        display="grid"
        gridTemplateColumns={{ base: '1fr 1fr', md: 'repeat(4, 1fr)' }}
        columnGap="4"
        rowGap="3"
      >
        {facts.map(([term, value]) => (
          <Box key={term} minW="0">
            <Term textStyle="xs" color="fg.muted">
              {term}
            </Term>
            <Value fontVariantNumeric="tabular-nums">{value}</Value>
          </Box>
        ))}
      </Terms>
      <Hints replay={replay} />
    </Box>
  )
}

const timestampFaults = {
  unreadable: 'cannot be read',
  too_old: 'is older than the game',
  ahead: 'lies in the future',
}

// Hints tell of what is odd about a file before the server judges it.
function Hints({ replay }: { replay: ReplayInfo }) {
  const hints = replay.disagreements.map(
    ({ subject, label, data }) =>
      `The file gives the ${subject} as "${label}", but the map in it says "${data}". Such a file is refused.`,
  )
  if (replay.timestampMissing)
    hints.push('The file does not tell when the run was made. The time shown is that of now.')
  if (replay.timestampFault)
    hints.push(`The time stamp ${timestampFaults[replay.timestampFault]}. Such a file is refused. The time shown is that of now.`)
  if (replay.finishIsAmbiguous)
    hints.push('Only some of the capture zones of this map are check points: a run may count too early.')
  if (hints.length === 0) return null
  return (
    <List.Root mt="4" ps="5" gap="1" textStyle="sm" color="fg.muted" aria-label="Hints">
      {hints.map((hint) => (
        <List.Item key={hint}>{hint}</List.Item>
      ))}
    </List.Root>
  )
}
