import { t } from '@lingui/core/macro'
import * as v from 'valibot'
import type { MedalTimes, ParkourMap } from '@/api'
import type { MapEdit, MapEditMetadata } from '@/api/desk'
import { addTags, MAX_TAG_LENGTH, MAX_TAGS } from '@/entities/map/tags'
import { MEDALS, type Medal } from '@/entities/record/Medal'
import { formatTime, parseTime } from '@/entities/record/raceTime'
import type { TagEntries } from '@/forms'
import { lengthOf } from '@/forms/characters'

export const MAX_DESCRIPTION = 2000

/** What is entered, by the names that the server gives the fields. */
export interface EditValues {
  description: string
  tags: TagEntries
  mapImage: File | null
  medalTimes: Record<Medal, string>
}

export const valuesOf = ({ description, tags, medalTimes }: ParkourMap): EditValues => ({
  description,
  tags: { tags, typed: '' },
  mapImage: null,
  medalTimes: entriesOf(medalTimes),
})

/**
 * Returns the values of a form that was opened with one state of the map and goes on with the present one: what was
 * entered in the fields that are the same in both, and the present values of the others.
 */
export function carriedOver(entered: EditValues, opened: ParkourMap, present: ParkourMap): EditValues {
  const before = valuesOf(opened)
  const now = valuesOf(present)
  const isSame = (field: 'description' | 'tags' | 'medalTimes') =>
    JSON.stringify(before[field]) === JSON.stringify(now[field])
  return {
    description: isSame('description') ? entered.description : now.description,
    tags: isSame('tags') ? entered.tags : { ...now.tags, typed: entered.tags.typed },
    mapImage: opened.imageUrl === present.imageUrl ? entered.mapImage : null,
    medalTimes: isSame('medalTimes') ? entered.medalTimes : now.medalTimes,
  }
}

function entriesOf(times: MedalTimes): Record<Medal, string> {
  const entry = (medal: Medal) => (times[medal] === null ? '' : formatTime(times[medal]))
  return { author: entry('author'), gold: entry('gold'), silver: entry('silver'), bronze: entry('bronze') }
}

export interface Edit {
  mapImage: File | null
  metadata: Omit<MapEditMetadata, 'updatedAt'>
}

const isShort = (tag: string) => lengthOf(tag) <= MAX_TAG_LENGTH

/** The rules of an edit. They give what has changed; medal times are for the map's author. */
export function editSchema(map: ParkourMap, byAuthor: boolean) {
  const before = entriesOf(map.medalTimes)
  // An unchanged time may be more exact than the field shows.
  const timeOf = (medal: Medal, entry: string) => (entry === before[medal] ? map.medalTimes[medal] : parseTime(entry))
  return v.pipe(
    v.object({
      description: v.string(),
      tags: v.pipe(
        v.custom<TagEntries>(() => true),
        v.transform(({ tags, typed }) => addTags(tags, typed)),
        v.maxLength(MAX_TAGS, t`A map has at most ${MAX_TAGS} tags.`),
        v.everyItem(isShort, t`A tag has at most ${MAX_TAG_LENGTH} characters.`),
      ),
      mapImage: v.custom<File | null>(() => true),
      medalTimes: v.pipe(
        v.custom<EditValues['medalTimes']>(() => true),
        v.check(
          (entries) => MEDALS.every((medal) => entries[medal] === before[medal] || parseTime(entries[medal]) !== null),
          t`A medal time has minutes, seconds and hundredths, such as 01:02.33.`,
        ),
      ),
    }),
    v.transform(({ description, tags, mapImage, medalTimes }): Edit => {
      const changed = MEDALS.some((medal) => medalTimes[medal] !== before[medal])
      return {
        mapImage,
        metadata: {
          ...(description !== map.description && { description }),
          ...(tags.join() !== map.tags.join() && { tags }),
          ...(byAuthor &&
            changed && {
              medalTimes: {
                author: timeOf('author', medalTimes.author),
                gold: timeOf('gold', medalTimes.gold),
                silver: timeOf('silver', medalTimes.silver),
                bronze: timeOf('bronze', medalTimes.bronze),
              },
            }),
        },
      }
    }),
  )
}

/** A field that an edit changed, as texts; a picture has none. */
export interface EditedField {
  field: MapEdit['fields'][number]
  before: string
  after: string
}

export const editedFields = ({ fields, before, after }: MapEdit): EditedField[] =>
  fields.map((field) => ({ field, before: textOf(field, before), after: textOf(field, after) }))

function textOf(field: EditedField['field'], { description, tags, medalTimes }: MapEdit['before']): string {
  if (field === 'description') return description
  if (field === 'tags') return tags.join(', ')
  if (field === 'picture') return ''
  const entries = entriesOf(medalTimes)
  return MEDALS.map((medal) => entries[medal] || '–').join(' · ')
}
