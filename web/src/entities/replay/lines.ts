import { ReplayError } from './replayError'

// The limits of a file, in bytes.
const MAX_FILE = 5 << 20
const MAX_LINE = 4 << 20

// Line is a line of a file that has a colon, both sides without the blanks around them.
export interface Line {
  // From 1.
  line: number
  label: string
  value: string
}

// Fields are what known labels speak of; 'map' is a name or map data, as its value decides.
const FIELDS = {
  map: 'map',
  mapname: 'mapName',
  mapauthor: 'mapAuthor',
  author: 'mapAuthor',
  mapid: 'mapId',
  mapdata: 'mapData',
  encodedmapdata: 'mapData',
  gamemode: 'gameMode',
  mode: 'gameMode',
  finishtime: 'finishTime',
  time: 'finishTime',
  playername: 'playerName',
  player: 'playerName',
  playerlevel: 'playerLevel',
  level: 'playerLevel',
  playerskin: 'playerSkin',
  skin: 'playerSkin',
  validated: 'validated',
  replayversion: 'replayVersion',
  modversion: 'replayVersion',
  gameversion: 'gameVersion',
  timestamp: 'timestamp',
  date: 'timestamp',
} as const

export type Field = (typeof FIELDS)[keyof typeof FIELDS]

// fieldOf recognises a label without regard to case, blanks, underscores and hyphens.
export function fieldOf(label: string): Field | undefined {
  const bare = label.replace(/[ \t_-]/g, '').toLowerCase()
  return Object.hasOwn(FIELDS, bare) ? FIELDS[bare as keyof typeof FIELDS] : undefined
}

// readLines returns the lines of a file that have a colon. It refuses what is too large, or no text.
export function readLines(file: Uint8Array): Line[] {
  if (file.length > MAX_FILE) throw new ReplayError('too_large', 0)
  if (file.includes(0)) throw new ReplayError('not_text', 0)
  checkLineLengths(file)
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(file)
  } catch {
    throw new ReplayError('not_text', 0)
  }
  return text.split('\n').flatMap((whole, i) => {
    const colon = whole.indexOf(':')
    if (colon < 0) return []
    return [
      {
        line: i + 1,
        label: trim(whole.slice(0, colon)),
        value: trim(whole.slice(colon + 1).replace(/\r$/, '')),
      },
    ]
  })
}

function checkLineLengths(file: Uint8Array): void {
  for (let start = 0, line = 1; start < file.length; line++) {
    const newline = file.indexOf(10, start)
    const end = newline < 0 ? file.length : newline
    const length = file[end - 1] === 13 ? end - 1 - start : end - start
    if (length > MAX_LINE) throw new ReplayError('line_too_long', line)
    start = end + 1
  }
}

// trim takes blanks off both ends, and nothing else that counts as white space.
function trim(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isBlank(text[start])) start++
  while (end > start && isBlank(text[end - 1])) end--
  return text.slice(start, end)
}

const isBlank = (char: string | undefined) => char === ' ' || char === '\t'
