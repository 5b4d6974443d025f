import { describe, expect, it } from 'vitest'
import type { ReplayInfo } from '@/features/replay/replayInfo'
import { imageProblem, REPLAY_LIMIT_MB, tooLarge } from '@/shared/lib/fileRules'
import { anImage } from '@/test/replays'
import { defaultEntries, isAuthor, mapProblems, medalTimes, NO_MEDALS, recordProblems } from './rules'

const replay = {
  mapName: 'Skyline Run',
  mapAuthor: 'cloudstep',
  mapId: 912044,
  finishTime: 41267,
  validated: true,
} as ReplayInfo
const author = { name: 'cloudstep' }
const validator = { name: 'mossfoot' }
const medals = defaultEntries(replay)
const whole = { user: author, replay, image: anImage(), medals }

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
    [
      'with an unfinished time',
      { ...whole, medals: { ...medals, gold: '00:4_.__' } },
      ['Gold medal time is required'],
    ],
    ['without medal times, from a validator', { ...whole, user: validator, medals: NO_MEDALS }, []],
    ['from somebody without a name', { ...whole, user: { name: ' ' } }, ['Submitter name is required']],
    [
      'with nothing at all',
      { user: null, replay: null, image: null, medals: NO_MEDALS },
      ['You must be logged in to submit a map', 'Replay file is required', 'Map image is required'],
    ],
  ])('%s', (_, entry, problems) => {
    expect(mapProblems(entry)).toEqual(problems)
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
    expect(recordProblems(entry)).toEqual(problems)
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
  it('of a run beyond what the inputs hold are sent as they were suggested', () => {
    const long = { ...replay, finishTime: 100 * 60_000 }
    const entries = defaultEntries(long)
    const times = { author: 6_000_000, gold: 6_360_000, silver: 7_200_000, bronze: 9_000_000 }
    expect(medalTimes(entries, long)).toEqual(times)
    expect(mapProblems({ ...whole, replay: long, medals: entries })).toEqual([])
  })
  it('of a run just below are sent as typed beside those suggested', () => {
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
    expect(tooLarge(replayOf(size), limit)).toBe(problem)
  })

  it.each([
    ['image/jpeg', null],
    ['image/png', null],
    ['image/webp', null],
    ['image/gif', 'Invalid image type. Please use JPG, PNG or WebP'],
    ['image/svg+xml', 'Invalid image type. Please use JPG, PNG or WebP'],
    ['', 'Invalid image type. Please use JPG, PNG or WebP'],
  ])('an image of type "%s"', (type, problem) => {
    expect(imageProblem(anImage('map', type))).toBe(problem)
  })

  it('an image above 1 MB', () => {
    expect(imageProblem(anImage('map.webp', 'image/webp', (1 << 20) + 1))).toBe(
      'File too large. Maximum size is 1 MB',
    )
  })
})
