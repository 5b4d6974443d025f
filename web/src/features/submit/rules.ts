import type { Refusal } from '@/api/error'
import { MAX_TAG_LENGTH, MAX_TAGS } from '@/entities/map/tags'
import { isSameName } from '@/entities/player/playerNames'
import { defaultMedals, MEDALS, type Medal } from '@/entities/record/Medal'
import { formatTime, parseTime, snapToFrame } from '@/entities/record/raceTime'
import type { Replay } from '@/entities/replay/readReplay'

interface Submitter {
  name: string
  roles?: readonly string[]
}

/** Medal times as they are typed. */
export type MedalEntries = Record<Medal, string>

export const NO_MEDALS: MedalEntries = { author: '', gold: '', silver: '', bronze: '' }

/** The medal times of a submission that is not the author's. */
export const NO_TIMES: Record<Medal, null> = { author: null, gold: null, silver: null, bronze: null }

/** Reports whether a player made the map of a replay, by name. */
export const isAuthor = (user: Submitter | null, replay: Replay | null): boolean =>
  user !== null && replay !== null && isSameName(user.name, replay.mapAuthor)

const VALIDATING_ROLES = ['validator', 'moderator', 'admin']

const isValidator = ({ roles = [] }: Submitter): boolean => roles.some((role) => VALIDATING_ROLES.includes(role))

/** Returns the medal times that a replay of the author suggests. */
export function defaultEntries(replay: Replay): MedalEntries {
  const suggested = suggestedTimes(replay)
  return forEachMedal((medal) => formatTime(suggested[medal]))
}

/**
 * Parses the entries, in milliseconds; an empty or incomplete one is null. The author time is the replay's finish time.
 * An unchanged suggestion is taken as it is, because it may be longer than the fields can hold.
 */
export function medalTimes(entries: MedalEntries, replay: Replay): Record<Medal, number | null> {
  const suggested = suggestedTimes(replay)
  return forEachMedal((medal) =>
    entries[medal] === formatTime(suggested[medal]) ? suggested[medal] : parseTime(entries[medal]),
  )
}

function suggestedTimes({ finishTime }: Replay): Record<Medal, number> {
  const times = defaultMedals(finishTime)
  return forEachMedal((medal) => snapToFrame(times[medal]))
}

const forEachMedal = <T>(timeOf: (medal: Medal) => T): Record<Medal, T> => ({
  author: timeOf('author'),
  gold: timeOf('gold'),
  silver: timeOf('silver'),
  bronze: timeOf('bronze'),
})

export const MEDAL_LABELS: Record<Medal, string> = {
  author: 'Author time',
  gold: 'Gold medal time',
  silver: 'Silver medal time',
  bronze: 'Bronze medal time',
}

/** The picture of a map: an uploaded one, or the server's drawing of the map. */
export type Picture = File | 'drawing'

interface MapEntry {
  user: Submitter | null
  replay: Replay | null
  image: Picture | null
  tags: readonly string[]
  medals: MedalEntries
}

/** Returns everything that keeps a map from being submitted. */
export function mapErrors({ user, replay, image, tags, medals }: MapEntry): FormError[] {
  const errors: FormError[] = []
  if (!user) errors.push({ message: 'You must be logged in to submit a map' })
  if (!replay) errors.push({ field: 'replayFile', message: 'Replay file is required' })
  if (!image) errors.push({ field: 'mapImage', message: 'Map image is required' })
  if (replay && !replay.validated) errors.push({ field: 'replayFile', message: 'Replay must be validated' })
  if (user && replay && !isAuthor(user, replay) && !isValidator(user)) {
    errors.push({ field: 'replayFile', message: "Only the map's author or a validator can submit this map." })
  }
  errors.push(...tagErrors(tags))
  if (replay && isAuthor(user, replay)) errors.push(...medalErrors(medalTimes(medals, replay)))
  if (user && user.name.trim() === '') errors.push({ message: 'Submitter name is required' })
  return errors
}

function tagErrors(tags: readonly string[]): FormError[] {
  const errors: FormError[] = []
  if (tags.length > MAX_TAGS) errors.push({ field: 'tags', message: `A map has at most ${MAX_TAGS} tags.` })
  const long = tags.find((tag) => [...tag].length > MAX_TAG_LENGTH)
  if (long) errors.push({ field: 'tags', message: `The tag "${long}" has more than ${MAX_TAG_LENGTH} letters.` })
  return errors
}

// Every time is required, and none may be faster than that of the better medal.
function medalErrors(times: Record<Medal, number | null>): FormError[] {
  return MEDALS.flatMap((medal, i): FormError[] => {
    const better = MEDALS[i - 1]
    const ms = times[medal]
    if (ms === null) return [{ field: `medalTimes.${medal}`, message: `${MEDAL_LABELS[medal]} is required` }]
    if (!better || ms >= (times[better] ?? 0)) return []
    return [{ field: `medalTimes.${medal}`, message: `The ${medal} time cannot be faster than the ${better} time.` }]
  })
}

interface RecordEntry {
  user: Submitter | null
  replay: Replay | null
  /** The map of the route, where there is one. */
  map: { name: string; bonkDbId: number } | null
}

/** Returns everything that keeps a record from being submitted. */
export function recordErrors({ user, replay, map }: RecordEntry): FormError[] {
  const errors: FormError[] = []
  if (!user) errors.push({ message: 'You must be logged in to submit a record' })
  if (!replay) errors.push({ field: 'replayFile', message: 'Replay file is required' })
  if (replay && !replay.validated) errors.push({ field: 'replayFile', message: 'Replay must be validated' })
  if (replay && map && replay.mapId !== map.bonkDbId) {
    errors.push({ field: 'replayFile', message: `This replay is not for the selected map "${map.name}"` })
  }
  return errors
}

/** The fields of the forms, by the names that the server gives them. */
export type FormField = 'replayFile' | 'mapImage' | 'description' | 'tags' | `medalTimes.${Medal}`

/** Why a form was not accepted; without a field it is about the form as a whole. */
export interface FormError {
  field?: FormField
  message: string
}

const isField = (name: string): name is FormField =>
  ['replayFile', 'mapImage', 'description', 'tags', ...MEDALS.map((medal) => `medalTimes.${medal}`)].includes(name)

/** Returns a server's refusal by field. A code that names no field is about the file that it begins with. */
export function errorsOf(refusal: Refusal | undefined, fallback: string): FormError[] {
  if (!refusal) return [{ message: fallback }]
  const message = refusal.message || fallback
  if (refusal.errors.length > 0) {
    return refusal.errors.map(({ field, message }) => (isField(field) ? { field, message } : { message }))
  }
  const { code } = refusal
  if (/^(replay|map|finish|wrong_map)/.test(code)) return [{ field: 'replayFile', message }]
  if (code.startsWith('image')) return [{ field: 'mapImage', message }]
  return [{ message }]
}

/** Returns the first message of a field, or null. */
export const errorOf = (errors: readonly FormError[], field: FormField): string | null =>
  errors.find((error) => error.field === field)?.message ?? null
