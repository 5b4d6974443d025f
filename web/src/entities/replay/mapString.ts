import { ByteReader } from './byteReader'
import { type Physics, readPhysics } from './physics'
import { unpack } from './unpack'

const NEWEST_VERSION = 15

export interface Settings {
  respawnOnDeath: boolean
  playersDontMeet: boolean
  playersCanFly: boolean
  physicsQuality: number
  gridSize: number
}

// GameMap is a map as its author drew it. Lengths are the game's pixels, angles radians.
export interface GameMap extends Physics {
  version: number
  settings: Settings
  remixOf: { name: string; author: string; id: number; databaseVersion: number }
  name: string
  author: string
  votesUp: number
  votesDown: number
  contributors: string[]
  modeCode: string
  // The game's own number for the map, -1 before it has one.
  databaseId: number
  published: boolean
  databaseVersion: number
}

// readMapString decodes a map string. It throws a MapStringError.
export function readMapString(encoded: string): GameMap {
  const bytes = new ByteReader(unpack(encoded))
  const version = bytes.short()
  if (version < 1 || version > NEWEST_VERSION) bytes.fail(`version ${version} is not known`)
  // Each version added fields; what an older one lacks has the value that the game assumes.
  const since = <T>(first: number, read: () => T, before: T): T => (version >= first ? read() : before)
  const settings = {
    respawnOnDeath: bytes.bool(),
    playersDontMeet: bytes.bool(),
    physicsQuality: since(3, bytes.short, 1),
    gridSize: version >= 13 ? bytes.float() : since(4, bytes.short, 25),
    playersCanFly: since(9, bytes.bool, false),
  }
  return {
    version,
    settings,
    remixOf: { name: bytes.text(), author: bytes.text(), id: bytes.uint(), databaseVersion: bytes.short() },
    name: bytes.text(),
    author: bytes.text(),
    votesUp: since(10, bytes.uint, 0),
    votesDown: since(10, bytes.uint, 0),
    contributors: since(4, () => bytes.list(2, bytes.text), []),
    modeCode: since(5, bytes.text, ''),
    databaseId: since(5, bytes.int, -1),
    published: since(7, bytes.bool, false),
    databaseVersion: since(8, bytes.int, 2),
    ...readPhysics(bytes, version),
  }
}

// finishIsAmbiguous tells whether a run could count as finished in the middle of the course: where the fixture of one
// capture zone is named "cp…", all must be.
export function finishIsAmbiguous({ capZones, fixtures }: GameMap): boolean {
  const named = capZones.filter((zone) => fixtures[zone.fixture]?.name.startsWith('cp')).length
  return named > 0 && named < capZones.length
}
