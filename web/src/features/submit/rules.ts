import { t } from '@lingui/core/macro'
import * as v from 'valibot'
import type { GameMode } from '@/api'
import { addTags, MAX_TAG_LENGTH, MAX_TAGS } from '@/entities/map/tags'
import { isSameName } from '@/entities/player/more/playerNames'
import type { Medal } from '@/entities/record/Medal'
import { defaultMedals } from '@/entities/record/more/medalTimes'
import { formatTime, parseTime, snapToFrame } from '@/entities/record/raceTime'
import type { Replay } from '@/entities/replay/readReplay'
import type { TagEntries } from '@/forms'
import { lengthOf } from '@/forms/characters'
import { isAllowed } from '@/session/permissions'
import type { ChosenReplay } from './ReplayField'

interface Submitter {
  name: string
  roles?: readonly string[]
}

/** Medal times as they are typed. */
export type MedalEntries = Record<Medal, string>

export const NO_MEDALS: MedalEntries = { author: '', gold: '', silver: '', bronze: '' }

/** Medal times in milliseconds. */
type MedalTimes = Record<Medal, number | null>

/** The medal times of a submission that is not the author's. */
const NO_TIMES: MedalTimes = { author: null, gold: null, silver: null, bronze: null }

/** Reports whether a player made the map of a replay, by name. */
export const isAuthor = (user: Submitter | null, replay: Replay | null): boolean =>
  user !== null && replay !== null && replay.mapAuthor !== null && isSameName(user.name, replay.mapAuthor)

/** Returns the medal times that a replay of the author suggests. */
export function defaultEntries(replay: Replay): MedalEntries {
  const suggested = suggestedTimes(replay)
  return forEachMedal((medal) => formatTime(suggested[medal]))
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

export const medalLabels = (): Record<Medal, string> => ({
  author: t`Author time`,
  gold: t`Gold medal time`,
  silver: t`Silver medal time`,
  bronze: t`Bronze medal time`,
})

const missingTimes = (): Record<Medal, string> => ({
  author: t`Author time is required`,
  gold: t`Gold medal time is required`,
  silver: t`Silver medal time is required`,
  bronze: t`Bronze medal time is required`,
})

/** The picture of a map: an uploaded one, or the server's drawing of the map. */
export type Picture = File | 'drawing'

export const MAX_DESCRIPTION = 2000

export const MAX_OWNER_REASON = 500

/** What is entered into the form of a map, by the names that the server gives the fields. */
export interface MapValues {
  replayFile: ChosenReplay | null
  mapImage: Picture | null
  /** Asked for where the replay names none. */
  gameMode: GameMode | ''
  description: string
  tags: TagEntries
  medalTimes: MedalEntries
  /** From a validator: why the map's present versions have the wrong author. */
  wrongOwnerReason: string
}

export const NO_MAP: MapValues = {
  replayFile: null,
  mapImage: null,
  gameMode: '',
  description: '',
  tags: { tags: [], typed: '' },
  medalTimes: NO_MEDALS,
  wrongOwnerReason: '',
}

/** The part of a map's form that is kept over a reload. */
export const mapDraft = v.object({
  description: v.string(),
  tags: v.object({ tags: v.array(v.string()), typed: v.string() }),
})

/** The rules of a map that is submitted. They give the tags as a list and the medal times in milliseconds. */
export function mapSchema({ replayFile }: Pick<MapValues, 'replayFile'>, submitter: Submitter | null) {
  const replay = replayFile?.replay ?? null
  const byAuthor = isAuthor(submitter, replay)
  const maySubmit = !submitter || byAuthor || isAllowed(submitter, 'submit map of another')
  return v.pipe(
    v.object({
      replayFile: v.pipe(
        validatedReplay(),
        v.check(() => maySubmit, t`Only the map's author or a validator can submit this map.`),
      ),
      mapImage: v.custom<Picture>((image) => image !== null, t`Map image is required`),
      gameMode: v.pipe(
        v.custom<MapValues['gameMode']>(() => true),
        v.check((mode) => mode !== '' || !replay?.modeMissing, t`Game mode is required`),
        v.transform((mode) => (replay?.modeMissing && mode) || null),
      ),
      description: v.string(),
      tags: tagsSchema(),
      medalTimes: replay && byAuthor ? medalSchema(replay) : noTimes,
      wrongOwnerReason: v.pipe(v.string(), v.trim()),
    }),
    v.rawCheck(({ addIssue }) => {
      if (submitter?.name.trim() === '') addIssue({ message: t`Submitter name is required` })
    }),
  )
}

export type MapSubmission = v.InferOutput<ReturnType<typeof mapSchema>>

/** What is entered into the form of a record. */
export interface RecordValues {
  replayFile: ChosenReplay | null
}

/** The rules of a record that is submitted, for the map of the route where there is one. */
export function recordSchema(map: { name: string; bonkDbId: number } | null) {
  const name = map?.name ?? ''
  return v.object({
    replayFile: v.pipe(
      validatedReplay(),
      v.check(
        ({ replay }) => map === null || replay.mapId === map.bonkDbId,
        t`This replay is not for the selected map "${name}"`,
      ),
    ),
  })
}

export type RecordSubmission = v.InferOutput<ReturnType<typeof recordSchema>>

const isRead = (chosen: unknown): boolean => (chosen as ChosenReplay | null)?.replay != null

const validatedReplay = () =>
  v.pipe(
    v.custom<{ file: File; replay: Replay }>(isRead, t`Replay file is required`),
    v.check(({ replay }) => replay.validated, t`Replay must be validated`),
  )

const isShort = (tag: string) => lengthOf(tag) <= MAX_TAG_LENGTH

// A tag that was typed and not added is sent, too.
const tagsSchema = () =>
  v.pipe(
    v.custom<TagEntries>(() => true),
    v.transform(({ tags, typed }) => addTags(tags, typed)),
    v.maxLength(MAX_TAGS, t`A map has at most ${MAX_TAGS} tags.`),
    v.everyItem(isShort, ({ input }) => {
      const long = input.find((tag) => !isShort(tag)) ?? ''
      return t`The tag "${long}" has more than ${MAX_TAG_LENGTH} characters.`
    }),
  )

const noTimes = v.pipe(
  v.custom<MedalEntries>(() => true),
  v.transform((): MedalTimes => NO_TIMES),
)

/**
 * The rules of medal times: each is required, and none may be faster than that of the better medal. An unchanged
 * suggestion is taken as it is, because it may be longer than the fields can hold.
 */
function medalSchema(replay: Replay) {
  const suggested = suggestedTimes(replay)
  const missing = missingTimes()
  const time = (medal: Medal) =>
    v.pipe(
      v.string(),
      v.transform((entry) => (entry === formatTime(suggested[medal]) ? suggested[medal] : parseTime(entry))),
      v.number(missing[medal]),
    )
  return v.pipe(
    v.object(forEachMedal(time)),
    v.forward(
      v.partialCheck(
        [['author'], ['gold']],
        ({ author, gold }) => author <= gold,
        t`The gold time cannot be faster than the author time.`,
      ),
      ['gold'],
    ),
    v.forward(
      v.partialCheck(
        [['gold'], ['silver']],
        ({ gold, silver }) => gold <= silver,
        t`The silver time cannot be faster than the gold time.`,
      ),
      ['silver'],
    ),
    v.forward(
      v.partialCheck(
        [['silver'], ['bronze']],
        ({ silver, bronze }) => silver <= bronze,
        t`The bronze time cannot be faster than the silver time.`,
      ),
      ['bronze'],
    ),
  )
}

/** Returns the field of a form that a refusal is about, where its code begins with a file. */
export function fieldOf(code: string): keyof MapValues | undefined {
  if (code === 'map_mode_missing') return 'gameMode'
  if (/^(replay|map|finish|wrong_map|game_mode)/.test(code)) return 'replayFile'
  return code.startsWith('image') ? 'mapImage' : undefined
}
