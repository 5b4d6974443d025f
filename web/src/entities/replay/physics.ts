import type { ByteReader, Point } from './byteReader'
import { NONE } from './byteReader'

export type Shape =
  | { kind: 'box'; width: number; height: number; centre: Point; angle: number; shrinks: boolean }
  | { kind: 'circle'; radius: number; centre: Point; shrinks: boolean }
  | { kind: 'polygon'; scale: number; angle: number; centre: Point; vertices: Point[] }

export interface Fixture {
  shape: number
  name: string
  colour: number
  deadly: boolean
  noPhysics: boolean
}

export interface Body {
  position: Point
  angle: number
  fixtures: number[]
}

export interface Spawn {
  name: string
  position: Point
}

export interface CapZone {
  name: string
  seconds: number
  // An index into the fixtures, or NONE.
  fixture: number
  kind: number
}

// Physics is what a map holds of things. What only the game's engine needs is checked and left out.
export interface Physics {
  pixelsPerMetre: number
  drawOrder: number[]
  shapes: Shape[]
  fixtures: Fixture[]
  bodies: Body[]
  spawns: Spawn[]
  capZones: CapZone[]
  joints: number
}

// The fewest bytes that one of each takes, in the oldest version.
const LEAST = { shape: 27, fixture: 36, body: 128, spawn: 41, capZone: 12, joint: 16 }

// readPhysics reads everything from the scale to the joints. Bytes after the last joint are ignored, as the game does.
export function readPhysics(bytes: ByteReader, version: number): Physics {
  const pixelsPerMetre = bytes.short()
  const drawOrder = bytes.list(2, bytes.short)
  const shapes = bytes.list(LEAST.shape, () => readShape(bytes))
  const fixtures = bytes.list(LEAST.fixture, () => readFixture(bytes, version, shapes.length))
  const bodies = bytes.list(LEAST.body, () => readBody(bytes, version, fixtures.length))
  const spawns = bytes.list(LEAST.spawn, () => readSpawn(bytes))
  const capZones = bytes.list(LEAST.capZone, () => ({
    name: bytes.text(),
    seconds: bytes.double(),
    fixture: bytes.index(fixtures.length, { orNone: true }),
    kind: version >= 6 ? bytes.short() : 1,
  }))
  const joints = bytes.list(LEAST.joint, () => readJoint(bytes, bodies.length))
  // These point at what comes later in the data than they do.
  if (drawOrder.some((body) => body < 0 || body >= bodies.length)) {
    bytes.fail('a drawn body that does not exist')
  }
  if (joints.flat().some((joint) => joint < NONE || joint >= joints.length)) {
    bytes.fail('a gear on a joint that does not exist')
  }
  return { pixelsPerMetre, drawOrder, shapes, fixtures, bodies, spawns, capZones, joints: joints.length }
}

function readShape(bytes: ByteReader): Shape {
  const kind = bytes.short()
  switch (kind) {
    case 1:
      return {
        kind: 'box',
        width: bytes.double(),
        height: bytes.double(),
        centre: bytes.point(),
        angle: bytes.double(),
        shrinks: bytes.bool(),
      }
    case 2:
      return { kind: 'circle', radius: bytes.double(), centre: bytes.point(), shrinks: bytes.bool() }
    case 3:
      return {
        kind: 'polygon',
        scale: bytes.double(),
        angle: bytes.double(),
        centre: bytes.point(),
        vertices: bytes.list(16, bytes.point),
      }
    default:
      return bytes.fail(`${kind} is not a kind of shape`)
  }
}

function readFixture(bytes: ByteReader, version: number, shapes: number): Fixture {
  const shape = bytes.index(shapes)
  const name = bytes.text()
  bytes.double() // friction
  bytes.short() // friction on players
  bytes.double() // restitution
  bytes.double() // density
  const fixture = { shape, name, colour: bytes.uint(), deadly: bytes.bool(), noPhysics: bytes.bool() }
  if (version >= 11) bytes.bool() // no grapple
  if (version >= 12) bytes.bool() // inner grapple
  return fixture
}

function readBody(bytes: ByteReader, version: number, fixtures: number): Body {
  const kind = bytes.text()
  if (!['s', 'd', 'k'].includes(kind)) bytes.fail('a kind of body that does not exist')
  bytes.text() // name
  const position = bytes.point()
  const angle = bytes.double()
  bytes.double() // friction
  bytes.bool() // friction on players
  skip(bytes.double, 7) // restitution, density, velocity x and y, angular velocity, linear and angular damping
  skip(bytes.bool, 2) // fixed rotation, anti-tunnel
  skip(bytes.double, 3) // force x and y, torque
  bytes.bool() // force is absolute
  bytes.short() // collision group
  skip(bytes.bool, version >= 2 ? 5 : 4) // collides with A, B, C, D, and players
  if (version >= 14 && bytes.bool()) {
    bytes.point() // force of the zone
    skip(bytes.bool, 3) // acts on players, bodies, arrows
    if (version >= 15) {
      bytes.short() // kind of zone
      bytes.double() // centre force
    }
  }
  return { position, angle, fixtures: bytes.list(2, () => bytes.index(fixtures)) }
}

function readSpawn(bytes: ByteReader): Spawn {
  const position = bytes.point()
  bytes.point() // velocity
  bytes.short() // priority
  skip(bytes.bool, 5) // red, free for all, blue, green, yellow
  return { position, name: bytes.text() }
}

// readJoint returns the joints that a gear turns together; other kinds name none.
function readJoint(bytes: ByteReader, bodies: number): number[] {
  const kind = bytes.short()
  switch (kind) {
    case 1: // revolute
      skip(bytes.double, 4)
      skip(bytes.bool, 2)
      skip(bytes.double, 2)
      break
    case 2: // distance
      skip(bytes.double, 6)
      break
    case 3: // path
      skip(bytes.double, 8)
      break
    case 4: // spring
      skip(bytes.double, 4)
      break
    case 5: {
      bytes.text() // name
      const turned = [bytes.short(), bytes.short()]
      bytes.double() // ratio
      return turned
    }
    default:
      return bytes.fail(`${kind} is not a kind of joint`)
  }
  bytes.index(bodies, { orNone: true })
  bytes.index(bodies, { orNone: true })
  bytes.bool() // bodies collide
  bytes.double() // break force
  bytes.bool() // line drawn
  return []
}

function skip(read: () => unknown, times: number): void {
  for (let i = 0; i < times; i++) read()
}
