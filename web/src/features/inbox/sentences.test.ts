import { describe, expect, it } from 'vitest'
import type { InboxGroup, InboxLinkKind } from '@/api'
import { aGroup, mossfoot } from '@/test/fixtures'
import { appealOf, KINDS, linkOf, placesOf, pointsOf, sentenceOf, timesOf } from './sentences'

const two = { count: 3, actorCount: 2, actors: [mossfoot, { ...mossfoot, _id: 'p', name: 'pebblehop' }] }
const again = { count: 3 }

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
  [
    'report_decided',
    { decision: 'remove_record', publicReason: 'not_own_play' },
    'Your report about Skyline Run was decided: Record removed (Played by somebody else or by a program)',
  ],
  ['report_decided', { decision: 'dismiss' }, 'Your report about Skyline Run was decided: it was not confirmed'],
  [
    'report_decided',
    { ...again, decision: 'remove_map', publicReason: 'stolen' },
    '3 of your reports about Skyline Run were decided, the last time: Map removed (Copied from another author)',
  ],
  [
    'report_decided',
    { map: null, player: mossfoot, decision: 'ban', publicReason: 'name' },
    'Your report about mossfoot was decided: Banned (Indecent name)',
  ],
  ['report_decided', { map: null }, 'Your report was decided'],
  ['report_decided', { ...again, map: null }, '3 of your reports were decided'],
  ['moderated', {}, 'A moderator made a decision about your record on Skyline Run'],
  ['moderated', again, 'Moderators made 3 decisions about your records on Skyline Run'],
  [
    'moderated',
    { decision: 'remove_record', publicReason: 'edited' },
    'A moderator made a decision about your record on Skyline Run: Record removed (The replay was edited)',
  ],
  [
    'moderated',
    { decision: 'remove_map', publicReason: 'broken' },
    'A moderator made a decision about your map Skyline Run: Map removed (It cannot be finished)',
  ],
  [
    'moderated',
    { map: null, decision: 'warn', publicReason: 'avatar' },
    'A moderator made a decision about you: Warned (Indecent avatar)',
  ],
  ['moderated', { map: null }, 'A moderator made a decision about you'],
  ['moderated', { ...again, map: null }, 'Moderators made 3 decisions about you'],
  ['appeal_answered', {}, 'Your appeal about Skyline Run was answered'],
  ['appeal_answered', again, '3 of your appeals about Skyline Run were answered'],
  ['appeal_answered', { appeal: 'granted' }, 'Your appeal about Skyline Run was answered: the decision was undone'],
  ['appeal_answered', { map: null, appeal: 'kept' }, 'Your appeal was answered: the decision stays'],
  [
    'appeal_answered',
    { ...again, appeal: 'asked' },
    '3 of your appeals about Skyline Run were answered, the last time: the moderators ask you something',
  ],
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
  ['record_lost', { kind: 'record', id: 'r' }, '/record/r'],
  ['record_lost', { kind: 'leaderboard', id: 'm' }, '/leaderboard/m'],
  ['passed', { kind: 'leaderboard', id: 'm' }, '/leaderboard/m?around=me'],
  ['report_decided', { kind: 'player', id: 'p' }, '/player/p'],
  ['moderated', { kind: 'decision', id: 'd' }, '/decisions/d'],
  ['webhook_off', { kind: 'webhooks', id: null }, '/settings/webhooks'],
  ['report_decided', { kind: 'of_a_newer_server' as InboxLinkKind, id: 'x' }, null],
  ['report_decided', null, null],
] as const)('the page of %s with %j is %s', (kind, link, path) => {
  expect(linkOf(aGroup({ kind, link }))).toBe(path)
})

it.each([
  ['moderated', 'remove_record', '/decisions/d'],
  ['moderated', 'ban', '/decisions/d'],
  ['moderated', 'restore_record', null],
  ['report_decided', 'remove_record', null],
] as const)('the appeal of %s by %s is at %s', (kind, decision, path) => {
  expect(appealOf(aGroup({ kind, decision, link: { kind: 'decision', id: 'd' } }))).toBe(path)
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
