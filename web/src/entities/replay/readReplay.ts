import { GAME_MODES } from '@/entities/map/modes'
import { parseTime, snapToFrame } from '@/entities/record/raceTime'
import { type MapHeader, readMapHeader } from './mapHeader'

/**
 * The facts of a replay that the forms show and check. The map data takes precedence over the labels. A text is null where
 * the file has none.
 */
export interface Replay {
  mapName: string | null
  mapAuthor: string | null
  /** The game map id. */
  mapId: number
  /** That of the map data, else the label. */
  gameMode: string | null
  /** Neither the map data nor the label names a mode. */
  modeMissing: boolean
  /** In milliseconds, on a frame. */
  finishTime: number
  playerName: string | null
  playerLevel: number
  validated: boolean
  /** The version of the mod that wrote the file. */
  replayVersion: string
  gameVersion: string
  /** Now where the file has none that can be read. */
  timestamp: Date
}

/** A file that is not a replay. */
export class InvalidReplay extends Error {}

/** Reads a replay, or throws InvalidReplay. */
export function readReplay(file: Uint8Array, now: Date): Replay {
  const values = readValues(decode(file))
  const map = readMap(values.get('mapData'))
  const timestamp = readTimestamp(values.get('timestamp'))
  return {
    mapName: map?.name.trim() ?? values.get('mapName') ?? null,
    mapAuthor: map?.author.trim() ?? values.get('mapAuthor') ?? null,
    mapId: map?.databaseId ?? readWholeNumber(values.get('mapId')) ?? -1,
    gameMode: map?.mode || (values.get('gameMode') ?? null),
    modeMissing: !map?.mode && !GAME_MODES.some((mode) => bare(mode) === bare(values.get('gameMode'))),
    finishTime: readFinishTime(values.get('finishTime')),
    playerName: values.get('playerName') ?? null,
    playerLevel: readWholeNumber(values.get('playerLevel')) ?? 0,
    validated: values.get('validated')?.toLowerCase() === 'true',
    replayVersion: values.get('replayVersion') ?? '',
    gameVersion: values.get('gameVersion') ?? '',
    timestamp: timestamp !== null && timestamp < now ? timestamp : now,
  }
}

// Reads UTF-8, or UTF-16 with a byte-order mark.
function decode(file: Uint8Array): string {
  const mark = ((file[0] ?? 0) << 8) | (file[1] ?? 0)
  const encoding = mark === 0xfffe ? 'utf-16le' : mark === 0xfeff ? 'utf-16be' : 'utf-8'
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(file)
    if (!text.includes('\0')) return text
  } catch {
    // It is not in the encoding.
  }
  throw new InvalidReplay('The file is not a text.')
}

// The labels of each field, without case, blanks, underscores and hyphens. A line 'Map' has a name or map data.
const LABELS = {
  map: ['map'],
  mapName: ['mapname'],
  mapAuthor: ['mapauthor', 'author'],
  mapId: ['mapid'],
  mapData: ['mapdata', 'encodedmapdata'],
  gameMode: ['gamemode', 'mode'],
  finishTime: ['finishtime', 'time'],
  playerName: ['playername', 'player'],
  playerLevel: ['playerlevel', 'level'],
  playerSkin: ['playerskin', 'skin'],
  validated: ['validated'],
  replayVersion: ['replayversion', 'modversion'],
  gameVersion: ['gameversion'],
  timestamp: ['timestamp', 'date'],
}

const fieldsByLabel = new Map(
  Object.entries(LABELS).flatMap(([field, labels]) => labels.map((label) => [label, field] as const)),
)

// Returns a label, or the name of a mode, without what makes no difference in it.
const bare = (text = '') => text.replace(/[\s_-]/g, '').toLowerCase()

type Values = Map<string, string>

// Returns the first value of each field.
function readValues(text: string): Values {
  const values: Values = new Map()
  let known = false
  for (const line of text.split('\n')) {
    const colon = line.indexOf(':')
    const field = fieldsByLabel.get(bare(line.slice(0, Math.max(colon, 0))))
    if (!field) continue
    known = true
    const value = line.slice(colon + 1).trim()
    if (value === '' || values.has(field)) continue
    values.set(field, value)
    const meaning = field === 'map' && (readMapHeader(value) ? 'mapData' : 'mapName')
    if (meaning && !values.has(meaning)) values.set(meaning, value)
  }
  if (!known) throw new InvalidReplay('The file has no known label.')
  return values
}

function readMap(encoded: string | undefined): MapHeader | null {
  if (encoded === undefined) return null
  const map = readMapHeader(encoded)
  if (!map) throw new InvalidReplay('The map data cannot be read.')
  return map
}

const DAY_MS = 24 * 60 * 60 * 1000
const LARGEST_NUMBER = 2 ** 31 - 1

// Reads a clock time, or a whole number of milliseconds up to a day.
function readFinishTime(text = '0'): number {
  if (text.includes(':')) {
    const ms = parseTime(text)
    if (ms !== null && ms <= DAY_MS) return ms
  } else {
    const ms = parseDigits(text, DAY_MS)
    if (ms !== null) return snapToFrame(ms)
  }
  throw new InvalidReplay('The finish time cannot be read.')
}

const readWholeNumber = (text = ''): number | null => parseDigits(text, LARGEST_NUMBER)

// Numbers below are seconds, which reach the year 5138; the others are milliseconds, which begin in 1973.
const FIRST_MILLISECONDS = 100_000_000_000
const LAST_MILLISECONDS = 253_402_300_799_999

// Reads RFC 3339, or seconds or milliseconds since 1970. Which time stamps are accepted is decided by the server.
function readTimestamp(text = ''): Date | null {
  const number = parseDigits(text, LAST_MILLISECONDS)
  if (number !== null) return new Date(number < FIRST_MILLISECONDS ? number * 1000 : number)
  const date = new Date(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text) ? text : Number.NaN)
  return Number.isNaN(date.getTime()) ? null : date
}

// Parses a whole number without a sign, up to a limit.
function parseDigits(text: string, limit: number): number | null {
  return /^[0-9]+$/.test(text) && Number(text) <= limit ? Number(text) : null
}
