import { describe, expect, it } from 'vitest'
import cases from '../../../../game/testdata/cases.json'
import type { Point } from './byteReader'
import { isParkour, modeName } from './gameMode'
import { finishIsAmbiguous, type GameMap, readMapString } from './mapString'
import type { Shape } from './physics'
import { type Replay, readReplay } from './readReplay'
import { ReplayError } from './replayError'
import { MapStringError } from './unpack'

// The same cases that the Go reader runs; game/testdata/README.md explains them.

describe('a map string', () => {
  it.each(cases.maps.filter((c) => c.error === undefined))('$name', ({ encoded, expect: wanted }) => {
    const { physicsFingerprint: _, ...rest } = wanted as Record<string, unknown>
    expect(mapFacts(readMapString(encoded))).toEqual(rest)
  })

  it.each(cases.maps.filter((c) => c.error !== undefined))('$name is refused', ({ encoded, error }) => {
    expect(() => readMapString(encoded)).toThrow(MapStringError)
    expect(() => readMapString(encoded)).toThrow(`${error}: `)
  })
})

const mapNames = new Map(cases.maps.map(({ name, encoded }) => [encoded, name]))

describe('a replay', () => {
  it.each(cases.replays.filter((c) => c.error === undefined))('$name', (c) => {
    expect(replayFacts(readReplay(fileOf(c), new Date(c.now)), c)).toEqual(c.expect)
  })

  it.each(cases.replays.filter((c) => c.error !== undefined))('$name is refused', (c) => {
    try {
      readReplay(fileOf(c), new Date(c.now))
      expect.unreachable('it was read')
    } catch (error) {
      expect(error).toBeInstanceOf(ReplayError)
      const { code, line } = error as ReplayError
      expect({ code, line }).toEqual(c.error)
    }
  })

  it('may have 5 MiB and no more', () => {
    const file = new TextEncoder().encode('Validated: true\n'.padEnd(5 << 20, 'no colon\n'))
    expect(readReplay(file, new Date()).validated).toBe(true)
    const larger = new Uint8Array(file.length + 1)
    larger.set(file)
    expect(() => readReplay(larger, new Date())).toThrow('too_large')
  })

  it('may have lines of 4 MiB and no more', () => {
    const line = (length: number) => new TextEncoder().encode(`Validated: true\nx:${'a'.repeat(length - 2)}\r\n`)
    expect(readReplay(line((4 << 20) - 1), new Date()).validated).toBe(true)
    expect(() => readReplay(line((4 << 20) + 1), new Date())).toThrow('line_too_long in line 2')
  })
})

function fileOf(c: { text?: string; base64?: string }): Uint8Array {
  if (c.base64 !== undefined) return Uint8Array.from(atob(c.base64), (char) => char.charCodeAt(0))
  return new TextEncoder().encode(textOf(c))
}

function textOf({ text = '' }: { text?: string }): string {
  return cases.maps.reduce((filled, map) => filled.replaceAll(`{{${map.name}}}`, map.encoded), text)
}

function replayFacts({ map, timestamp, ...replay }: Replay, c: { text?: string }) {
  const inText = [...mapNames].filter(([encoded]) => encoded !== '' && textOf(c).includes(encoded))
  const mapData = inText.find(([encoded]) => {
    try {
      return JSON.stringify(readMapString(encoded)) === JSON.stringify(map)
    } catch {
      return false
    }
  })
  return { ...replay, timestamp: timestamp.toISOString(), mapData: mapData?.[1] ?? null }
}

function mapFacts(map: GameMap) {
  const { remixOf: from } = map
  const [first] = map.shapes
  return {
    version: map.version,
    name: map.name,
    author: map.author,
    databaseId: map.databaseId,
    databaseVersion: map.databaseVersion,
    modeCode: map.modeCode,
    mode: modeName(map.modeCode),
    parkour: isParkour(map.modeCode),
    contributors: map.contributors,
    remix: from.id !== 0 || from.name !== '' ? { id: from.id, name: from.name, author: from.author } : null,
    published: map.published,
    votes: [map.votesUp, map.votesDown],
    settings: map.settings,
    pixelsPerMetre: map.pixelsPerMetre,
    counts: {
      shapes: map.shapes.length,
      fixtures: map.fixtures.length,
      bodies: map.bodies.length,
      spawns: map.spawns.length,
      capZones: map.capZones.length,
      joints: map.joints,
    },
    drawOrder: map.drawOrder,
    capZones: map.capZones,
    spawns: map.spawns.map(({ name, position }) => ({ name, ...position })),
    firstShape: first ? shapeFacts(first) : null,
    bounds: bounds(map),
    finishIsAmbiguous: finishIsAmbiguous(map),
  }
}

const pair = ({ x, y }: Point) => [x, y]

function shapeFacts(shape: Shape) {
  const facts = { ...shape, centre: pair(shape.centre) }
  return shape.kind === 'polygon' ? { ...facts, vertices: shape.vertices.map(pair) } : facts
}

// bounds is the box around every spawn and every fixture, rounded to thousandths.
function bounds({ spawns, bodies, fixtures, shapes }: GameMap): number[] {
  const around: { at: Point; radius: number }[] = spawns.map(({ position }) => ({ at: position, radius: 0 }))
  for (const body of bodies) {
    for (const fixture of body.fixtures) {
      for (const { at, radius } of outline(shapes[fixtures[fixture]!.shape]!)) {
        around.push({ at: moved(turned(at, body.angle), body.position), radius })
      }
    }
  }
  if (around.length === 0) return [0, 0, 0, 0]
  return [
    Math.min(...around.map(({ at, radius }) => at.x - radius)),
    Math.min(...around.map(({ at, radius }) => at.y - radius)),
    Math.max(...around.map(({ at, radius }) => at.x + radius)),
    Math.max(...around.map(({ at, radius }) => at.y + radius)),
  ].map((n) => Math.round(n * 1000) / 1000 + 0)
}

function outline(shape: Shape): { at: Point; radius: number }[] {
  if (shape.kind === 'circle') return [{ at: shape.centre, radius: Math.abs(shape.radius) }]
  const corners =
    shape.kind === 'polygon'
      ? shape.vertices.map(({ x, y }) => ({ x: x * shape.scale, y: y * shape.scale }))
      : [
          { x: -shape.width / 2, y: -shape.height / 2 },
          { x: shape.width / 2, y: -shape.height / 2 },
          { x: shape.width / 2, y: shape.height / 2 },
          { x: -shape.width / 2, y: shape.height / 2 },
        ]
  return corners.map((corner) => ({ at: moved(turned(corner, shape.angle), shape.centre), radius: 0 }))
}

const moved = (a: Point, b: Point) => ({ x: a.x + b.x, y: a.y + b.y })
const turned = ({ x, y }: Point, angle: number) => ({
  x: x * Math.cos(angle) - y * Math.sin(angle),
  y: x * Math.sin(angle) + y * Math.cos(angle),
})
