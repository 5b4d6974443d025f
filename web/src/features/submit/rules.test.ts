import { type GenericSchema, getDotPath, parse, safeParse } from 'valibot'
import { describe, expect, it } from 'vitest'
import type { Replay } from '@/entities/replay/readReplay'
import { imageError, REPLAY_LIMIT_MB, sizeError } from '@/entities/upload/fileRules'
import { anImage } from '@/test/replays'
import {
  defaultEntries,
  fieldOf,
  isAuthor,
  type MapValues,
  mapSchema,
  NO_MAP,
  NO_MEDALS,
  type RecordValues,
  recordSchema,
} from './rules'

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
const file = new File(['x'], 'run.lbReplay')
const whole: MapValues = {
  replayFile: { file, replay },
  mapImage: anImage(),
  gameMode: '',
  description: '',
  tags: { tags: ['city'], typed: '' },
  medalTimes: medals,
  wrongOwnerReason: '',
}

type Submitter = Parameters<typeof mapSchema>[1]

// errorsOf lists the errors of values by field.
const errorsOf = (schema: GenericSchema, values: object) =>
  safeParse(schema, values).issues?.map((issue) => [getDotPath(issue), issue.message]) ?? []

const mapErrors = (values: MapValues, player: Submitter) => errorsOf(mapSchema(values, player), values)

describe('a map', () => {
  it.each<[string, Partial<MapValues>, Submitter, [string | null, string][]]>([
    ['whole', {}, author, []],
    ['without a replay', { replayFile: null }, author, [['replayFile', 'Replay file is required']]],
    [
      'whose replay is still read',
      { replayFile: { file, replay: null } },
      author,
      [['replayFile', 'Replay file is required']],
    ],
    [
      'whose mode nothing names',
      { replayFile: { file, replay: { ...replay, modeMissing: true } } },
      author,
      [['gameMode', 'Game mode is required']],
    ],
    ['without an image', { mapImage: null }, author, [['mapImage', 'Map image is required']]],
    ['with its drawing', { mapImage: 'drawing' }, author, []],
    [
      'not validated',
      { replayFile: { file, replay: { ...replay, validated: false } } },
      author,
      [['replayFile', 'Replay must be validated']],
    ],
    [
      'without medal times, from its author',
      { medalTimes: NO_MEDALS },
      author,
      [
        ['medalTimes.author', 'Author time is required'],
        ['medalTimes.gold', 'Gold medal time is required'],
        ['medalTimes.silver', 'Silver medal time is required'],
        ['medalTimes.bronze', 'Bronze medal time is required'],
      ],
    ],
    [
      'with an unfinished time',
      { medalTimes: { ...medals, gold: '00:4_.__' } },
      author,
      [['medalTimes.gold', 'Gold medal time is required']],
    ],
    ['without medal times, from a validator', { medalTimes: NO_MEDALS }, validator, []],
    ['from somebody without a name', {}, { name: ' ', roles: ['admin'] }, [[null, 'Submitter name is required']]],
    [
      'of another author, from a player without a role',
      {},
      { name: 'mossfoot', roles: [] },
      [['replayFile', "Only the map's author or a validator can submit this map."]],
    ],
    [
      'with more than 10 tags, one of them typed',
      { tags: { tags: [...'abcdefghij'], typed: 'k' } },
      author,
      [['tags', 'A map has at most 10 tags.']],
    ],
    [
      'with a tag of more than 24 characters',
      { tags: { tags: ['abcdefghijklmnopqrstuvwxy'], typed: '' } },
      author,
      [['tags', 'The tag "abcdefghijklmnopqrstuvwxy" has more than 24 characters.']],
    ],
    [
      'with medal times out of order',
      { medalTimes: { author: '00:41.27', gold: '00:41.00', silver: '00:40.00', bronze: '00:39.00' } },
      author,
      [
        ['medalTimes.gold', 'The gold time cannot be faster than the author time.'],
        ['medalTimes.silver', 'The silver time cannot be faster than the gold time.'],
        ['medalTimes.bronze', 'The bronze time cannot be faster than the silver time.'],
      ],
    ],
    [
      'with nothing at all',
      NO_MAP,
      author,
      [
        ['replayFile', 'Replay file is required'],
        ['mapImage', 'Map image is required'],
      ],
    ],
    [
      'not validated, without an image, with a time missing and too many tags',
      {
        replayFile: { file, replay: { ...replay, validated: false } },
        mapImage: null,
        tags: { tags: [...'abcdefghijk'], typed: '' },
        medalTimes: { ...medals, bronze: '' },
      },
      author,
      [
        ['replayFile', 'Replay must be validated'],
        ['mapImage', 'Map image is required'],
        ['tags', 'A map has at most 10 tags.'],
        ['medalTimes.bronze', 'Bronze medal time is required'],
      ],
    ],
  ])('%s', (_, change, player, errors) => {
    expect(mapErrors({ ...whole, ...change }, player)).toEqual(errors)
  })
})

describe('a record', () => {
  const map = { name: 'Skyline Run', bonkDbId: 912044 }
  it.each<[string, RecordValues, Parameters<typeof recordSchema>[0], string[]]>([
    ['whole', { replayFile: { file, replay } }, null, []],
    ['for the map of the route', { replayFile: { file, replay } }, map, []],
    ['without a replay', { replayFile: null }, null, ['Replay file is required']],
    [
      'not validated',
      { replayFile: { file, replay: { ...replay, validated: false } } },
      null,
      ['Replay must be validated'],
    ],
    [
      'of another map',
      { replayFile: { file, replay } },
      { name: 'Rooftops', bonkDbId: 5 },
      ['This replay is not for the selected map "Rooftops"'],
    ],
  ])('%s', (_, values, selected, messages) => {
    expect(errorsOf(recordSchema(selected), values)).toEqual(messages.map((message) => ['replayFile', message]))
  })
})

describe('a refusal', () => {
  it.each([
    ['replay_not_yours', 'replayFile'],
    ['map_exists', 'replayFile'],
    ['wrong_map', 'replayFile'],
    ['image_too_large', 'mapImage'],
    ['token_expired', undefined],
  ])('with the code %s is about %s', (code, field) => {
    expect(fieldOf(code)).toBe(field)
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

  // timesSent returns the medal times of a submission.
  const timesSent = (replay: Replay, medalTimes: MapValues['medalTimes'], player: Submitter = author) => {
    const values = { ...whole, replayFile: { file, replay }, medalTimes }
    return parse(mapSchema(values, player), values).medalTimes
  }

  it('are sent in milliseconds', () => {
    expect(timesSent(replay, medals)).toEqual({ author: 41267, gold: 43733, silver: 49533, bronze: 61900 })
  })
  it('of a finish time beyond what the inputs hold are sent as they were suggested', () => {
    const long = { ...replay, finishTime: 100 * 60_000 }
    const times = { author: 6_000_000, gold: 6_360_000, silver: 7_200_000, bronze: 9_000_000 }
    expect(timesSent(long, defaultEntries(long))).toEqual(times)
  })
  it('of a finish time just below are sent as typed beside those suggested', () => {
    const long = { ...replay, finishTime: 99 * 60_000 }
    const entries = { ...defaultEntries(long), gold: '99:30.00' }
    expect(timesSent(long, entries)).toMatchObject({ author: 5_940_000, gold: 5_970_000, bronze: 8_910_000 })
  })
  it('of a validator are null, whatever is entered', () => {
    expect(timesSent(replay, medals, validator)).toEqual({ author: null, gold: null, silver: null, bronze: null })
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
