import { type Disagreement, disagreements, SPACES } from './disagreements'
import { modeName } from './gameMode'
import { type Field, fieldOf, type Line, readLines } from './lines'
import { type GameMap, readMapString } from './mapString'
import { ReplayError } from './replayError'
import { readFinishTime, readTimestamp, readWholeNumber, type TimestampFault } from './values'

// Replay is a run as its file tells it. What the map data says wins over the labels.
export interface Replay {
  mapName: string
  mapAuthor: string
  // The game's own number for the map.
  mapId: number
  gameMode: string
  // In milliseconds, on a frame.
  finishTime: number
  playerName: string
  playerLevel: number
  playerSkin: string
  validated: boolean
  // Of the mod that wrote the file.
  replayVersion: string
  gameVersion: string
  timestamp: Date
  timestampMissing: boolean
  timestampFault: TimestampFault
  map: GameMap | null
  disagreements: Disagreement[]
  unknown: Line[]
}

const MAX_UNKNOWN = 256
const MAX_TEXT = 1 << 10
const MAX_SKIN = 16 << 10

type Lines = Map<Field, Line>

// readReplay reads a file. Now is the time of a run whose file does not tell it. It throws a ReplayError.
export function readReplay(file: Uint8Array, now: Date): Replay {
  const { lines, unknown } = sort(readLines(file))
  const map = readMap(lines)
  const said = {
    mapName: text(lines, 'mapName') ?? 'Unknown',
    mapAuthor: text(lines, 'mapAuthor') ?? 'Unknown',
    mapId: readWholeNumber(lines.get('mapId')?.value) ?? -1,
    gameMode: text(lines, 'gameMode') ?? 'View v1.3.0+',
  }
  const { timestamp, fault } = readTimestamp(lines.get('timestamp')?.value, now)
  return {
    ...(map ? believed(map) : said),
    playerName: text(lines, 'playerName') ?? 'Unknown',
    playerSkin: text(lines, 'playerSkin', MAX_SKIN) ?? '',
    replayVersion: text(lines, 'replayVersion') ?? '',
    gameVersion: text(lines, 'gameVersion') ?? '',
    finishTime: finishTime(lines),
    playerLevel: readWholeNumber(lines.get('playerLevel')?.value) ?? 0,
    validated: lines.get('validated')?.value.toLowerCase() === 'true',
    timestamp,
    timestampMissing: !lines.has('timestamp'),
    timestampFault: fault,
    map,
    disagreements: map ? disagreements(lines, map) : [],
    unknown,
  }
}

// sort finds the first line with a value for each field.
function sort(all: Line[]): { lines: Lines; unknown: Line[] } {
  const lines: Lines = new Map()
  const unknown: Line[] = []
  let known = false
  for (const line of all) {
    const field = fieldOf(line.label)
    if (field) {
      known = true
      if (line.value !== '' && !lines.has(field)) lines.set(field, line)
    } else if (unknown.length < MAX_UNKNOWN) {
      unknown.push(line)
    }
  }
  if (!known) throw new ReplayError('not_a_replay', 0)
  return { lines, unknown }
}

// readMap decodes the map data. A line labelled 'Map' is data if it decodes, else the name; whichever comes first in the
// file counts.
function readMap(lines: Lines): GameMap | null {
  const either = lines.get('map')
  if (either) {
    const map = tryMapString(either.value)
    const field = map ? 'mapData' : 'mapName'
    const other = lines.get(field)
    if (!other || either.line < other.line) lines.set(field, either)
    if (map && lines.get(field) === either) return map
  }
  const line = lines.get('mapData')
  if (!line) return null
  const map = tryMapString(line.value)
  if (!map) throw new ReplayError('bad_map_data', line.line)
  return map
}

function tryMapString(encoded: string): GameMap | null {
  try {
    return readMapString(encoded)
  } catch {
    return null
  }
}

function believed(map: GameMap): Pick<Replay, 'mapName' | 'mapAuthor' | 'mapId' | 'gameMode'> {
  return {
    mapName: trimmed(map.name),
    mapAuthor: trimmed(map.author),
    mapId: map.databaseId,
    gameMode: modeName(map.modeCode),
  }
}

const trimmed = (name: string) => name.replace(new RegExp(`^[${SPACES}]+|[${SPACES}]+$`, 'g'), '')

function text(lines: Lines, field: Field, limit = MAX_TEXT): string | undefined {
  const line = lines.get(field)
  if (line && new TextEncoder().encode(line.value).length > limit) throw new ReplayError('too_long', line.line)
  return line?.value
}

function finishTime(lines: Lines): number {
  const line = lines.get('finishTime')
  if (!line) return 0
  const ms = readFinishTime(line.value)
  if (ms === null) throw new ReplayError('bad_finish_time', line.line)
  return ms
}
