import { NEWEST, type Tag } from '..'
import type { StreamEvent } from './parser'

/** The data of an event, as far as the site uses it. */
interface EventData {
  recordId?: string
  mapId?: string
  playerId?: string
  intoId?: string
  /** The kind of a notification. */
  kind?: string
}

const newestRecords: Tag = { type: 'Record', id: NEWEST }
const newestMaps: Tag = { type: 'Map', id: NEWEST }
/** The tags of all that events change: any of it may have changed while none were read. */
export const LIVE_TAGS: readonly Tag[] = ['Leaderboard', newestRecords, newestMaps, 'Stats', 'Inbox', 'InboxCount']

/** Returns the tags of what an event changes on the pages that follow events, for the player with the id ownId or a visitor. */
export function tagsOf(event: StreamEvent, ownId?: string): Tag[] {
  const { recordId, mapId, playerId, intoId } = dataOf(event)
  // A program or another browser of the player may have submitted the record.
  const own: Tag[] = ownId && playerId === ownId ? ['Own'] : []
  switch (event.type) {
    case 'record':
      return [{ type: 'Leaderboard', id: mapId }, newestRecords, 'Stats', ...own]
    case 'record.removed':
    case 'record.restored':
      return [{ type: 'Leaderboard', id: mapId }, { type: 'Record', id: recordId }, newestRecords, 'Stats', ...own]
    case 'records.hidden':
    case 'records.shown':
      return ['Leaderboard', newestRecords, 'Stats', ...own]
    case 'map':
      return [{ type: 'Map', id: mapId }, newestMaps, 'Stats']
    // Other medal times change the medals of the rows.
    case 'map.updated':
      return [{ type: 'Map', id: mapId }, { type: 'Leaderboard', id: mapId }, newestMaps, 'Stats']
    case 'map.removed':
    case 'map.restored':
      return [{ type: 'Map', id: mapId }, { type: 'Leaderboard', id: mapId }, newestMaps, newestRecords, 'Stats']
    case 'player.registered':
      return ['Stats']
    case 'player.merged':
      return [{ type: 'Player', id: playerId }, { type: 'Player', id: intoId }, 'Leaderboard', newestRecords, 'Stats']
    case 'player.deleted':
      return [{ type: 'Player', id: playerId }, 'Leaderboard', newestRecords, newestMaps]
    case 'inbox':
      return ['Inbox', 'InboxCount']
    case 'reset':
      return [...LIVE_TAGS]
    default:
      return []
  }
}

/** Returns the data of an event; none where it cannot be read. */
export function dataOf({ data }: StreamEvent): EventData {
  try {
    const value: unknown = JSON.parse(data)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
