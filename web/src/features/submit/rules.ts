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

// Whoever is not the author sets none.
export const NO_TIMES: Record<Medal, null> = { author: null, gold: null, silver: null, bronze: null }

// isAuthor tells whether a player made the map of a replay, by name.
export const isAuthor = (user: Submitter | null, replay: ReplayInfo | null): boolean =>
  user !== null && replay !== null && sameName(user.name, replay.mapAuthor)

// defaultEntries are the medal times that a replay of the author's suggests.
export function defaultEntries(replay: ReplayInfo): MedalEntries {
  const suggested = suggestedTimes(replay)
  return entriesOf((medal) => formatTime(suggested[medal]))
}

// medalTimes reads the inputs, in milliseconds; an empty or unfinished one is null. The author time is the replay's finish
// time. What was suggested and left is taken as it is: it may be longer than the inputs can hold.
export function medalTimes(entries: MedalEntries, replay: ReplayInfo): Record<Medal, number | null> {
  const suggested = suggestedTimes(replay)
  return entriesOf((medal) =>
    entries[medal] === formatTime(suggested[medal]) ? suggested[medal] : parseTime(entries[medal]),
  )
}

const suggestedTimes = ({ finishTime }: ReplayInfo): Record<Medal, number> => {
  const times = defaultMedals(finishTime)
  return entriesOf((medal) => snapToFrame(times[medal]))
}

const entriesOf = <T>(of: (medal: Medal) => T): Record<Medal, T> => ({
  author: of('author'),
  gold: of('gold'),
  silver: of('silver'),
  bronze: of('bronze'),
})

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
  if (replay && isAuthor(user, replay)) {
    const times = medalTimes(medals, replay)
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
