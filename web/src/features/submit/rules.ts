import type { ReplayInfo } from '@/features/replay/replayInfo'
import { defaultMedals, MEDALS, type Medal } from '@/shared/lib/medals'
import { sameName } from '@/shared/lib/playerNames'
import { formatTime, parseTime, snapToFrame } from '@/shared/lib/raceTime'

interface Submitter {
  name: string
}

// MedalEntries are medal times as they stand in their inputs.
export type MedalEntries = Record<Medal, string>

export const NO_MEDALS: MedalEntries = { author: '', gold: '', silver: '', bronze: '' }

// isAuthor tells whether a player made the map of a replay, by name.
export const isAuthor = (user: Submitter | null, replay: ReplayInfo | null): boolean =>
  user !== null && replay !== null && sameName(user.name, replay.mapAuthor)

// defaultEntries are the medal times that a replay of the author's suggests.
export function defaultEntries({ finishTime }: ReplayInfo): MedalEntries {
  const entries = Object.entries(defaultMedals(finishTime)).map(([medal, ms]) => [
    medal,
    formatTime(snapToFrame(ms)),
  ])
  return Object.fromEntries(entries) as MedalEntries
}

// medalTimes reads the inputs; an empty or unfinished one is null.
export const medalTimes = (entries: MedalEntries): Record<Medal, number | null> =>
  Object.fromEntries(MEDALS.map((medal) => [medal, parseTime(entries[medal])])) as Record<
    Medal,
    number | null
  >

const MEDAL_REQUIRED: Record<Medal, string> = {
  author: 'Author time is required',
  gold: 'Gold medal time is required',
  silver: 'Silver medal time is required',
  bronze: 'Bronze medal time is required',
}

interface MapEntry {
  user: Submitter | null
  replay: ReplayInfo | null
  image: File | null
  medals: MedalEntries
}

// mapProblems returns everything that keeps a map from being submitted.
export function mapProblems({ user, replay, image, medals }: MapEntry): string[] {
  const problems: string[] = []
  if (!user) problems.push('You must be logged in to submit a map')
  if (!replay) problems.push('Replay file is required')
  if (!image) problems.push('Map image is required')
  if (replay && !replay.validated) problems.push('Replay must be validated')
  if (isAuthor(user, replay)) {
    const times = medalTimes(medals)
    problems.push(...MEDALS.filter((medal) => times[medal] === null).map((medal) => MEDAL_REQUIRED[medal]))
  }
  if (user && user.name.trim() === '') problems.push('Submitter name is required')
  return problems
}

interface RecordEntry {
  user: Submitter | null
  replay: ReplayInfo | null
  // The map of the route, where there is one.
  map: { name: string; bonkDbId: number } | null
}

// recordProblems returns everything that keeps a record from being submitted.
export function recordProblems({ user, replay, map }: RecordEntry): string[] {
  const problems: string[] = []
  if (!user) problems.push('You must be logged in to submit a record')
  if (!replay) problems.push('Replay file is required')
  if (replay && !replay.validated) problems.push('Replay must be validated')
  if (replay && map && replay.mapId !== map.bonkDbId) {
    problems.push(`This replay is not for the selected map "${map.name}"`)
  }
  return problems
}
