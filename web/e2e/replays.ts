import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import lzString from 'lz-string'

/** Returns the path of a file of docs/samples. */
export const sample = (name: string) => fileURLToPath(new URL(`../../docs/samples/${name}`, import.meta.url))

/** A map of the game: that of the samples, with other facts. */
export interface GameMap {
  name: string
  author: string
  /** The game map id. */
  gameId: number
  /** Whether players can fly, which makes another version of the map. */
  fly?: boolean
  /** Neither the map nor a replay of it says the mode, as with most maps of the game. */
  anyMode?: boolean
}

// The data of the samples' map, in the format of game/bonkmap/format.go. Its settings end with whether players can fly;
// the facts of the original, which it has not, the name, the author, votes, a contributor, the mode and the id follow.
const sampleText = readFileSync(sample('skyline-run-cloudstep.lbReplay'), 'utf8')
const [, packed = ''] = /^Map Data: (.*)$/m.exec(sampleText) ?? []
const sampleBytes = Buffer.from(lzString.decompressFromEncodedURIComponent(packed), 'base64')
const FLY_AT = 10
const NAME_AT = 21
const NO_VOTES_OR_CONTRIBUTORS = Buffer.alloc(8 + 2)
const ID_AT = sampleBytes.indexOf(int32(1_178_052))

/** Returns the data of a map as a replay has them. */
function mapData({ name, author, gameId, fly = false, anyMode = false }: GameMap): string {
  const start = Buffer.from(sampleBytes.subarray(0, NAME_AT))
  start.writeUInt8(Number(fly), FLY_AT)
  const bytes = Buffer.concat([
    ...[start, text(name), text(author), NO_VOTES_OR_CONTRIBUTORS],
    ...[text(anyMode ? '' : 'b'), int32(gameId), sampleBytes.subarray(ID_AT + 4)],
  ])
  return lzString.compressToEncodedURIComponent(bytes.toString('base64'))
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

function text(value: string): Buffer {
  const bytes = Buffer.from(`\0\0${value}`)
  bytes.writeUInt16BE(bytes.length - 2)
  return bytes
}

let replays = 0

/** Returns the file of a replay, which is later than those that were made before it. */
export function replay(map: GameMap, player: string, finishTime: string) {
  const labels = {
    'Map Name': map.name,
    ...(!map.anyMode && { 'Game Mode': 'Classic' }),
    'Finish Time': finishTime,
    'Player Name': player,
    'Player Level': '57',
    Validated: 'true',
    'Replay Version': '1.3.0',
    'Game Version': '49',
    Timestamp: new Date(Date.UTC(2026, 1, 1) + 60_000 * replays++).toISOString(),
    'Map Data': mapData(map),
  }
  const lines = Object.entries(labels).map(([label, value]) => `${label}: ${value}\n`)
  return { finishTime, name: `run${replays}.lbReplay`, mimeType: 'text/plain', buffer: Buffer.from(lines.join('')) }
}
