import { modeName, modeNamed } from './gameMode'
import type { Field, Line } from './lines'
import type { GameMap } from './mapString'

// Disagreement is a label that contradicts the map data: a sign that somebody has edited the file.
export interface Disagreement {
  subject: 'map name' | 'map author' | 'map id' | 'game mode'
  line: number
  label: string
  data: string
}

// SPACES are what a label cannot keep of a name: its ends are cut off, and a line break would end it.
export const SPACES = ' \\t\\r\\n'

// What the mod writes where it does not know.
const PLACEHOLDERS = ['Unknown', 'View v1.3.0+']

export function disagreements(lines: ReadonlyMap<Field, Line>, map: GameMap): Disagreement[] {
  const claims: [Disagreement['subject'], Field, string, (label: string, data: string) => boolean][] = [
    ['map name', 'mapName', map.name, sameText],
    ['map author', 'mapAuthor', map.author, (a, b) => sameText(a.toLowerCase(), b.toLowerCase())],
    ['map id', 'mapId', String(map.databaseId), sameNumber],
    ['game mode', 'gameMode', modeName(map.modeCode), sameMode],
  ]
  return claims.flatMap(([subject, field, data, agrees]) => {
    const given = lines.get(field)
    if (!given || PLACEHOLDERS.includes(given.value) || agrees(given.value, data)) return []
    return [{ subject, line: given.line, label: given.value, data }]
  })
}

const singleSpaced = (text: string) =>
  text
    .split(new RegExp(`[${SPACES}]+`))
    .filter((word) => word !== '')
    .join(' ')

const sameText = (a: string, b: string) => singleSpaced(a) === singleSpaced(b)
const sameNumber = (label: string, data: string) => /^[+-]?[0-9]+$/.test(label) && String(Number(label)) === data
const sameMode = (label: string, data: string) => modeNamed(label) === data || label === data
