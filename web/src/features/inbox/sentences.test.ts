import { describe, expect, it } from 'vitest'
import type { InboxGroup } from '@/api'
import { aGroup, mossfoot } from '@/test/fixtures'
import { KINDS, linkOf, placesOf, pointsOf, sentenceOf, timesOf } from './sentences'

const two = { count: 3, actorCount: 2, actors: [mossfoot, { ...mossfoot, _id: 'p', name: 'pebblehop' }] }
const again = { count: 3 }
const map = aGroup().map?._id
const record = aGroup().recordId

const cases: [InboxGroup['kind'], Partial<InboxGroup>, string][] = [
  ['record_lost', {}, 'mossfoot broke your world record on Skyline Run'],
  ['record_lost', two, 'Your world record on Skyline Run was broken 3 times, the last time by mossfoot'],
  ['record_regained', { actors: [], actorCount: 0 }, 'You hold the world record on Skyline Run again'],
  ['record_regained', again, 'You got the world record on Skyline Run back 3 times'],
  ['passed', {}, 'mossfoot passed you on Skyline Run'],
  ['passed', again, 'mossfoot passed you on Skyline Run'],
  ['passed', two, '2 players passed you on Skyline Run'],
  ['record_on_my_map', {}, 'mossfoot has a new record on your map Skyline Run'],
  ['record_on_my_map', again, 'mossfoot has 3 new records on your map Skyline Run'],
  ['record_on_my_map', two, '2 players have new records on your map Skyline Run'],
  ['followed_record', {}, 'mossfoot, whom you follow, has a new record on Skyline Run'],
  ['followed_record', again, 'mossfoot, whom you follow, has 3 new records on Skyline Run'],
  ['followed_record', two, '2 players whom you follow have new records on Skyline Run'],
  ['followed_map_record', {}, 'mossfoot has a new record on Skyline Run, which you follow'],
  ['followed_map_record', again, 'mossfoot has 3 new records on Skyline Run, which you follow'],
  ['followed_map_record', two, '2 players have new records on Skyline Run, which you follow'],
  ['map_new_version', {}, 'Skyline Run has a new version'],
  ['map_new_version', again, 'Skyline Run has 3 new versions'],
  ['report_decided', {}, 'Your report about Skyline Run was decided'],
  ['report_decided', again, '3 of your reports about Skyline Run were decided'],
  ['report_decided', { map: null }, 'Your report was decided'],
  ['report_decided', { ...again, map: null }, '3 of your reports were decided'],
  ['moderated', {}, 'A moderator decided about your record on Skyline Run'],
  ['moderated', again, 'Moderators made 3 decisions about your records on Skyline Run'],
  ['moderated', { map: null }, 'A moderator decided about you'],
  ['moderated', { ...again, map: null }, 'Moderators made 3 decisions about you'],
  ['appeal_answered', {}, 'Your appeal about Skyline Run was answered'],
  ['appeal_answered', again, '3 of your appeals about Skyline Run were answered'],
  ['appeal_answered', { map: null }, 'Your appeal was answered'],
  ['appeal_answered', { ...again, map: null }, '3 of your appeals were answered'],
  [
    'webhook_off',
    { actors: [], actorCount: 0, map: null },
    'A webhook of yours was switched off, because nothing reaches its receiver',
  ],
  [
    'webhook_off',
    { ...again, actors: [], map: null },
    'Webhooks of yours were switched off 3 times, because nothing reaches their receivers',
  ],
  ['record_lost', { actors: [], actorCount: 0, map: null }, 'Somebody broke your world record on a map'],
]

describe('the times of a group', () => {
  it.each([
    [{ finishTime: null }, null],
    [{}, '00:41.27'],
    [{ ownFinishTime: 41_300 }, '00:41.27, yours 00:41.30'],
    [{ ownFinishTime: 41_267 }, '00:41.27, equal to yours and set earlier'],
  ])('of %j are %s', (change, text) => {
    expect(timesOf(aGroup(change))).toBe(text)
  })
})

describe('the sentence of a group', () => {
  it.each(cases)('of %s %j is: %s', (kind, change, sentence) => {
    expect(sentenceOf(aGroup({ kind, ...change }))).toBe(sentence)
  })

  it.each([
    [{}, 'There is something new about Skyline Run'],
    [{ map: null }, 'There is something new for you'],
  ])('of an unknown kind with %j is: %s', (change, sentence) => {
    expect(sentenceOf(aGroup({ kind: 'of_a_newer_server' as InboxGroup['kind'], ...change }))).toBe(sentence)
  })

  it('is there for every kind', () => {
    expect(new Set(cases.map(([kind]) => kind))).toEqual(new Set(Object.keys(KINDS)))
  })
})

it.each([
  [{ kind: 'record_lost' }, `/record/${record}`],
  [{ kind: 'webhook_off', map: null, recordId: null }, '/settings/webhooks'],
  [{ kind: 'passed' }, `/leaderboard/${map}?around=me`],
  [{ kind: 'record_lost', removedSince: true }, `/leaderboard/${map}`],
  [{ kind: 'map_new_version', recordId: null }, `/leaderboard/${map}`],
  [{ kind: 'report_decided', recordId: null }, `/leaderboard/${map}`],
  [{ kind: 'report_decided', recordId: null, map: null }, null],
  [{ kind: 'moderated', removedSince: true, decisionId: 'd1' }, '/decisions/d1'],
  [{ kind: 'appeal_answered', recordId: null, map: null, decisionId: 'd1' }, '/decisions/d1'],
  [{ kind: 'moderated', removedSince: true }, '/decisions'],
  [{ kind: 'appeal_answered', recordId: null, map: null }, '/decisions'],
] as const)('the page of %j is %s', (change, path) => {
  expect(linkOf(aGroup(change))).toBe(path)
})

it.each([
  [{ from: 3, to: 5 }, 'From place 3 to 5'],
  [{ from: 3, to: 3 }, null],
  [{ from: 3, to: null }, null],
])('the change of place of %j is %s', (change, text) => {
  expect(placesOf(aGroup(change))).toBe(text)
})

it.each([
  [65.8, '-65.8 points'],
  [120, '-120.0 points'],
  [null, null],
])('the cost of %s points is %s', (pointsLost, text) => {
  expect(pointsOf(aGroup({ pointsLost }))).toBe(text)
})
