import { expect, it } from 'vitest'
import { LIVE_TAGS, tagsOf } from './tags'

const leaderboard = { type: 'Leaderboard', id: 'a' }
const record = { type: 'Record', id: 'r' }
const newestRecords = { type: 'Record', id: 'NEWEST' }
const newestMaps = { type: 'Map', id: 'NEWEST' }
const map = { type: 'Map', id: 'a' }

it.each([
  ['record', [leaderboard, newestRecords, 'Stats']],
  ['record.removed', [leaderboard, record, newestRecords, 'Stats']],
  ['record.restored', [leaderboard, record, newestRecords, 'Stats']],
  ['records.hidden', ['Leaderboard', newestRecords, 'Stats']],
  ['records.shown', ['Leaderboard', newestRecords, 'Stats']],
  ['map', [map, newestMaps, 'Stats']],
  ['map.updated', [map, leaderboard, newestMaps, 'Stats']],
  ['map.removed', [map, leaderboard, newestMaps, newestRecords, 'Stats']],
  ['map.restored', [map, leaderboard, newestMaps, newestRecords, 'Stats']],
  ['player.registered', ['Stats']],
  ['player.deleted', [{ type: 'Player', id: 'p' }, 'Leaderboard', newestRecords, newestMaps]],
  ['player.merged', [{ type: 'Player', id: 'p' }, { type: 'Player', id: 'q' }, 'Leaderboard', newestRecords, 'Stats']],
  ['inbox', ['Inbox', 'InboxCount']],
  ['reset', LIVE_TAGS],
  ['of.a.newer.server', []],
])('the event %s changes %j', (type, tags) => {
  const data = JSON.stringify({ mapId: 'a', recordId: 'r', playerId: 'p', intoId: 'q' })
  expect(tagsOf({ type, data, id: '1' })).toEqual(tags)
})

it.each(['no JSON', 'null', '7'])('an event with the data %j is harmless', (data) => {
  expect(tagsOf({ type: 'player.registered', data, id: '1' })).toEqual(['Stats'])
})

it.each(['record', 'record.removed', 'record.restored', 'records.hidden', 'records.shown'])(
  'the event %s about the own player changes what is their own',
  (type) => {
    const event = { type, data: JSON.stringify({ mapId: 'a', recordId: 'r', playerId: 'p' }), id: '1' }
    expect(tagsOf(event, 'p')).toContain('Own')
    expect(tagsOf(event, 'q')).not.toContain('Own')
    expect(tagsOf(event)).not.toContain('Own')
  },
)
