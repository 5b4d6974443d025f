import { describe, expect, it } from 'vitest'
import type { Replay } from '@/entities/replay/readReplay'
import { imageError, REPLAY_LIMIT_MB, sizeError } from '@/entities/upload/fileRules'
import { anImage } from '@/test/replays'
import { defaultEntries, type FormError, isAuthor, mapErrors, medalTimes, NO_MEDALS, recordErrors } from './rules'

const replay = {
  mapName: 'Skyline Run',
  mapAuthor: 'cloudstep',
  mapId: 912044,
  finishTime: 41267,
  validated: true,
} as Replay
const author = { name: 'cloudstep' }
const validator = { name: 'mossfoot', roles: ['validator'] }
const medals = defaultEntries(replay)
const whole = { user: author, replay, image: anImage(), tags: ['city'], medals }

const messages = (errors: FormError[]) => errors.map(({ message }) => message)

describe('a map', () => {
  it.each([
    ['whole', whole, []],
    ['from a visitor', { ...whole, user: null }, ['You must be logged in to submit a map']],
    ['without a replay', { ...whole, replay: null }, ['Replay file is required']],
    ['without an image', { ...whole, image: null }, ['Map image is required']],
    ['not validated', { ...whole, replay: { ...replay, validated: false } }, ['Replay must be validated']],
    [
      'without medal times, from its author',
      { ...whole, medals: NO_MEDALS },
      [
        'Author time is required',
        'Gold medal time is required',
        'Silver medal time is required',
        'Bronze medal time is required',
      ],
    ],
    ['with an unfinished time', { ...whole, medals: { ...medals, gold: '00:4_.__' } }, ['Gold medal time is required']],
    ['without medal times, from a validator', { ...whole, user: validator, medals: NO_MEDALS }, []],
    [
      'from somebody without a name',
      { ...whole, user: { name: ' ', roles: ['admin'] } },
      ['Submitter name is required'],
    ],
    [
      'of another author, from a player without a role',
      { ...whole, user: { name: 'mossfoot', roles: [] } },
      ["Only the map's author or a validator can submit this map."],
    ],
    ['with more than 10 tags', { ...whole, tags: [...'abcdefghijk'] }, ['A map has at most 10 tags.']],
    [
      'with a tag of more than 24 letters',
      { ...whole, tags: ['abcdefghijklmnopqrstuvwxy'] },
      ['The tag "abcdefghijklmnopqrstuvwxy" has more than 24 letters.'],
    ],
    [
      'with medal times out of order',
      { ...whole, medals: { ...medals, silver: '00:42.00' } },
      ['The silver time cannot be faster than the gold time.'],
    ],
    [
      'with nothing at all',
      { user: null, replay: null, image: null, tags: [], medals: NO_MEDALS },
      ['You must be logged in to submit a map', 'Replay file is required', 'Map image is required'],
    ],
  ])('%s', (_, entry, problems) => {
    expect(messages(mapErrors(entry))).toEqual(problems)
  })
})

describe('a record', () => {
  const map = { name: 'Skyline Run', bonkDbId: 912044 }
  it.each([
    ['whole', { user: validator, replay, map: null }, []],
    ['for the map of the route', { user: validator, replay, map }, []],
    ['from a visitor', { user: null, replay, map }, ['You must be logged in to submit a record']],
    ['without a replay', { user: validator, replay: null, map }, ['Replay file is required']],
    [
      'not validated',
      { user: validator, replay: { ...replay, validated: false }, map: null },
      ['Replay must be validated'],
    ],
    [
      'of another map',
      { user: validator, replay, map: { name: 'Rooftops', bonkDbId: 5 } },
      ['This replay is not for the selected map "Rooftops"'],
    ],
  ])('%s', (_, entry, problems) => {
    expect(messages(recordErrors(entry))).toEqual(problems)
  })
})

describe('an author', () => {
  it.each([
    ['the same name', 'cloudstep', true],
    ['another case', 'CloudStep', true],
    ['another name', 'mossfoot', false],
  ])('has %s', (_, name, is) => {
    expect(isAuthor({ name }, replay)).toBe(is)
  })
})

describe('medal times', () => {
  it('follow from the finish time, on frames', () => {
    expect(medals).toEqual({ author: '00:41.27', gold: '00:43.73', silver: '00:49.53', bronze: '01:01.90' })
  })
  it('are sent in milliseconds', () => {
    expect(medalTimes(medals, replay)).toEqual({ author: 41267, gold: 43733, silver: 49533, bronze: 61900 })
  })
  it('of a finish time beyond what the inputs hold are sent as they were suggested', () => {
    const long = { ...replay, finishTime: 100 * 60_000 }
    const entries = defaultEntries(long)
    const times = { author: 6_000_000, gold: 6_360_000, silver: 7_200_000, bronze: 9_000_000 }
    expect(medalTimes(entries, long)).toEqual(times)
    expect(mapErrors({ ...whole, replay: long, medals: entries })).toEqual([])
  })
  it('of a finish time just below are sent as typed beside those suggested', () => {
    const long = { ...replay, finishTime: 99 * 60_000 }
    const entries = { ...defaultEntries(long), gold: '99:30.00' }
    expect(medalTimes(entries, long)).toMatchObject({ author: 5_940_000, gold: 5_970_000, bronze: 8_910_000 })
  })
  it('are null where nothing is entered', () => {
    expect(medalTimes(NO_MEDALS, replay)).toEqual({ author: null, gold: null, silver: null, bronze: null })
  })
})

describe('a file', () => {
  const replayOf = (size: number) => new File([new Uint8Array(size)], 'run.lbReplay')
  it.each([
    ['a replay of 5 MB on the map page', REPLAY_LIMIT_MB.map, 5 << 20, null],
    ['a larger one', REPLAY_LIMIT_MB.map, (5 << 20) + 1, 'File too large. Maximum size is 5 MB'],
    ['a replay of 1 MB on the record page', REPLAY_LIMIT_MB.record, 1 << 20, null],
    ['a larger one there', REPLAY_LIMIT_MB.record, (1 << 20) + 1, 'File too large. Maximum size is 1 MB'],
  ])('%s', (_, limit, size, problem) => {
    expect(sizeError(replayOf(size), limit)).toBe(problem)
  })

  it.each([
    ['image/jpeg', null],
    ['image/png', null],
    ['image/webp', null],
    ['image/gif', 'Invalid image type. Please use JPG, PNG or WebP'],
    ['image/svg+xml', 'Invalid image type. Please use JPG, PNG or WebP'],
    ['', 'Invalid image type. Please use JPG, PNG or WebP'],
  ])('an image of type "%s"', (type, problem) => {
    expect(imageError(anImage('map', type))).toBe(problem)
  })

  it('an image above 1 MB', () => {
    expect(imageError(anImage('map.webp', 'image/webp', (1 << 20) + 1))).toBe('File too large. Maximum size is 1 MB')
  })
})
