import type { MedalTimes } from '@/api'
import { MEDALS, type Medal } from '@/entities/record/Medal'

/** A platform of a course: the time of a medal, of the world record, or of both. */
export interface Stop {
  ms: number
  medal: Medal | null
  isWorldRecord: boolean
}

/** Returns the stops of a course from the slowest to the fastest. Of medals with one time it has the better one. */
export function stopsOf(times: Partial<MedalTimes>, worldRecord: number | null): Stop[] {
  const stops: Stop[] = []
  for (const medal of MEDALS) {
    const ms = times[medal] ?? null
    if (ms === null || stops.some((stop) => stop.ms === ms)) continue
    stops.push({ ms, medal, isWorldRecord: ms === worldRecord })
  }
  if (worldRecord !== null && !stops.some(({ isWorldRecord }) => isWorldRecord)) {
    stops.push({ ms: worldRecord, medal: null, isWorldRecord: true })
  }
  return stops.sort((a, b) => b.ms - a.ms)
}

/**
 * Returns the place of a time on a course: 1 at its first stop, 2 at the second, and so on, in proportion between them. A
 * time that is slower than all stops is the nearer to 0 the longer it is; a faster one is at the last stop.
 */
export function placeOf(ms: number, stops: readonly Stop[]): number {
  const next = stops.findIndex((stop) => stop.ms < ms)
  if (next === -1) return stops.length
  const to = stops[next]?.ms ?? 0
  const from = stops[next - 1]?.ms
  return from === undefined ? to / ms : next + (from - ms) / (from - to)
}

/** The measures of a drawing of a course, in pixels: how high its start is above the last stop, and its jumps. */
export interface Shape {
  /** The distance of the start from the upper edge. */
  bottom: number
  /** By how much the last stop is higher than the start. */
  rise: number
  /** The height of a jump above the line between two stops. */
  jump: number
}

/** Returns where a place is: from the start in percent of the width, and from the upper edge in pixels. */
export function positionOf(place: number, count: number, { bottom, rise, jump }: Shape): { x: number; y: number } {
  const t = place % 1
  return { x: (100 * place) / count, y: bottom - (rise * place) / count - 4 * jump * t * (1 - t) }
}

/** Returns the path of the jumps from the start to a place, for an SVG that is 100 wide. */
export function jumpsTo(place: number, count: number, shape: Shape): string {
  const { bottom, rise, jump } = shape
  let path = ''
  for (let from = 0; from < place; from++) {
    const to = Math.min(from + 1, place)
    const start = positionOf(from, count, shape)
    const end = positionOf(to, count, shape)
    // The part of the jump is a parabola, too: its control point is on the tangent at the start.
    const control = bottom - (rise * from) / count - (to - from) * (rise / count / 2 + 2 * jump)
    path += `M${round(start.x)} ${round(start.y)}Q${round((start.x + end.x) / 2)} ${round(control)} ${round(end.x)} ${round(end.y)}`
  }
  return path
}

const round = (value: number): number => Math.round(value * 100) / 100
