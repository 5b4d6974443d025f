import { describe, expect, it } from 'vitest'
import cases from '../../../../game/testdata/cases.json'
import { readMapHeader } from './mapHeader'
import { InvalidReplay, type Replay, readReplay } from './readReplay'

// The cases of the Go reader, as far as they are about the fields that the forms show; game/testdata/README.md explains them.

// The server refuses these maps for what follows the header, or for a text in it that is not the map's own.
const READABLE = [
  'the last byte missing',
  'a name with a NUL',
  'a fixture whose shape does not exist',
  'a friction that is no number',
  'an endless width',
  'a kind of shape that does not exist',
  'more shapes than bytes',
  'fewer shapes than none',
  'a drawn body that does not exist',
  'a capture zone on a fixture that does not exist',
]

describe('a map string', () => {
  it.each(cases.maps.filter((c) => c.error === undefined))('$name', ({ encoded, expect: wanted }) => {
    const header = readMapHeader(encoded)
    expect(wanted).toMatchObject(header ? { ...header, mode: header.mode || 'Not set' } : { name: 'unreadable' })
  })

  const refused = cases.maps.filter(({ name, error }) => error !== undefined && !READABLE.includes(name))
  it.each(refused)('$name is refused', ({ encoded }) => {
    expect(readMapHeader(encoded)).toBeNull()
  })
})

describe('a replay', () => {
  it.each(cases.replays.filter((c) => c.error === undefined))('$name', (c) => {
    const { timestamp, modeMissing, ...replay } = readReplay(fileOf(c), new Date(c.now))
    expect(c.expect).toMatchObject(withDefaults(replay))
    const ofData = cases.maps.find(({ name }) => name === c.expect?.mapData)?.expect?.mode ?? 'Not set'
    expect(modeMissing).toBe(ofData === 'Not set' && c.expect?.labelMode === '')
    // The server refuses a file whose time stamp has a fault.
    if (!c.expect?.timestampFault) expect(timestamp.toISOString()).toBe(c.expect?.timestamp)
  })

  // The server checks the lengths of texts.
  const refused = cases.replays.filter(({ error }) => error !== undefined && error.code !== 'too_long')
  it.each(refused)('$name is refused', (c) => {
    expect(() => readReplay(fileOf(c), new Date(c.now))).toThrow(InvalidReplay)
  })
})

// What the reader in Go has where the file has no text. ReplayDetails shows the same, in the active locale.
const DEFAULTS = { mapName: 'Unknown', mapAuthor: 'Unknown', gameMode: 'View v1.3.0+', playerName: 'Unknown' }

function withDefaults(replay: Omit<Replay, 'timestamp' | 'modeMissing'>): object {
  return { ...DEFAULTS, ...Object.fromEntries(Object.entries(replay).filter(([, value]) => value !== null)) }
}

function fileOf({ text = '', base64 }: { text?: string; base64?: string }): Uint8Array {
  if (base64 !== undefined) return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
  const filled = cases.maps.reduce((filled, map) => filled.replaceAll(`{{${map.name}}}`, map.encoded), text)
  return new TextEncoder().encode(filled)
}
