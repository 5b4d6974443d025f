import type {
  InboxGroup,
  ListedRecord,
  MapPoints,
  MapProgress,
  ParkourMap,
  Player,
  PlayerMapPoints,
  PlayerPoints,
  PlayerStatistics,
  RankingPage,
  RankingRow,
  RecordDetails,
} from '@/api'
import { pointsOf, weightOf } from '@/entities/points/formula'
import type { User } from '@/session/session'

export const cloudstep: User = {
  _id: '01900000-0000-7000-8000-000000000001',
  name: 'cloudstep',
  skinImageUrl: null,
  skinColor: '#8e24aa',
  level: 57,
  roles: [],
}

export const mossfoot = {
  _id: '01900000-0000-7000-8000-000000000002',
  name: 'mossfoot',
  skinImageUrl: null,
  skinColor: '#43a047',
}

export function aMap(change: Partial<ParkourMap> = {}): ParkourMap {
  const author = { _id: cloudstep._id, name: cloudstep.name, skinImageUrl: null, skinColor: '#8e24aa' }
  return {
    _id: '01900000-0000-7000-8000-0000000000a1',
    name: 'Skyline Run',
    imageUrl: '/media/maps/a.webp',
    drawingUrl: '/media/maps/a.svg',
    pictureUrl: '/media/maps/a-drawn.webp',
    thumbnailUrl: '/media/maps/a-480.webp',
    version: 1,
    newest: true,
    unranked: false,
    unrankedReason: null,
    worldRecord: null,
    gameMode: 'Classic',
    createdAt: '2026-05-11T18:02:33.120Z',
    updatedAt: '2026-05-11T18:02:33.120Z',
    author,
    submittedBy: author,
    tags: ['speedrun', 'short'],
    recordCount: 3,
    medalTimes: { author: 41267, gold: 43733, silver: 49533, bronze: 61900 },
    description: 'Over the roofs.',
    bonkDbId: 1234,
    bonkDBID: 1234,
    contributors: [],
    remixOf: null,
    ...change,
  }
}

export function aPlayer(change: Partial<Player> = {}): Player {
  return {
    _id: cloudstep._id,
    name: 'cloudstep',
    level: 57,
    skinImageUrl: null,
    skinColor: '#8e24aa',
    roles: [],
    createdAt: '2026-03-01T10:00:00.000Z',
    updatedAt: '2026-05-11T18:02:33.120Z',
    registered: true,
    mapCount: 1,
    recordCount: 3,
    trophies: [],
    ...change,
  }
}

export function aRecord(change: Partial<ListedRecord> = {}): ListedRecord {
  return {
    _id: '01900000-0000-7000-8000-0000000000b1',
    player: { _id: cloudstep._id, name: 'cloudstep', skinImageUrl: null, skinColor: '#8e24aa' },
    map: { _id: '01900000-0000-7000-8000-0000000000a1', name: 'Skyline Run' },
    finishTime: 41267,
    finishTimeStamp: '2026-05-11T18:02:33.120Z',
    createdAt: '2026-05-11T18:05:00.000Z',
    updatedAt: '2026-05-11T18:05:00.000Z',
    medal: 'author',
    rank: 1,
    of: 1,
    personalBest: true,
    isWorldRecord: true,
    equalsWorldRecord: false,
    ...change,
  }
}

export function someStatistics(change: Partial<PlayerStatistics> = {}): PlayerStatistics {
  return {
    finished: { total: 0, of: 0 },
    modes: [],
    worldRecords: { now: 0, ever: 0, longestReign: null },
    lostWorldRecords: [],
    bestPlacements: [],
    activity: [],
    ...change,
  }
}

export function someRecordDetails(change: Partial<RecordDetails> = {}): RecordDetails {
  return {
    ...aRecord(),
    rankAtSubmission: 2,
    previousBest: 43000,
    previousWorldRecord: 41000,
    worldRecord: { _id: aRecord()._id, finishTime: 41267, player: aRecord().player },
    mapVersion: 1,
    newestVersion: true,
    nextAbove: null,
    ...change,
  }
}

/** The progress of the 14th on a map, who has a silver medal. */
export function someProgress(change: Partial<MapProgress> = {}): MapProgress {
  return {
    map: '01900000-0000-7000-8000-0000000000a1',
    best: {
      _id: '01900000-0000-7000-8000-0000000000b1',
      finishTime: 44_467,
      rank: 14,
      medal: 'silver',
      toNextMedal: 734,
      toWorldRecord: 3200,
    },
    nextMedal: { medal: 'gold', finishTime: 43_733 },
    worldRecord: 41_267,
    playedOlderVersion: false,
    ...change,
  }
}

const thresholds = { finishers: 5, maps: 5, authors: 3 }
const computed = { formulaVersion: 1, asOf: '2026-05-11T18:06:00.000Z', thresholds }

/** The first of a ranking by points. */
export function aRankingRow(change: Partial<RankingRow> = {}): RankingRow {
  return {
    rank: 1,
    player: { _id: cloudstep._id, name: 'cloudstep', skinImageUrl: null, skinColor: '#8e24aa' },
    value: 1925.5,
    points: 1925.5,
    worldRecords: 3,
    medals: { author: 2, gold: 4, silver: 5, bronze: 1 },
    finished: 14,
    change7d: { points: 41.2, places: 3 },
    ...change,
  }
}

export function aRanking(data: RankingRow[], change: Partial<RankingPage> = {}): RankingPage {
  return {
    success: true,
    data,
    pagination: { total: data.length, page: 1, limit: 25, pages: 1, offset: 0 },
    periodFrom: null,
    periodUntil: null,
    ...computed,
    ...change,
  }
}

/** The points on a map of somebody who shares their place with nobody; position is that among the player's maps. */
export function somePoints(finishers: number, place: number, position: number): PlayerMapPoints {
  const standing = { opponents: finishers - 1, beaten: finishers - place, place }
  const terms = pointsOf(standing)
  return {
    map: { _id: `map-${position}`, name: `Map ${position}` },
    mode: 'Classic',
    record: `record-${position}`,
    finishTime: 41_267,
    tied: 0,
    ...standing,
    ...terms,
    position,
    weight: weightOf(position),
    share: terms.points * weightOf(position),
    finishersMissing: 0,
  }
}

/** The points of a player on these maps. */
export function playerPoints(maps: PlayerMapPoints[], change: Partial<PlayerPoints> = {}): PlayerPoints {
  const { player, worldRecords, medals, finished } = aRankingRow()
  return {
    ...{ player, worldRecords, medals, finished },
    total: Math.round(10 * maps.reduce((sum, { share }) => sum + share, 0)) / 10,
    rank: 9,
    ranked: 120,
    missing: null,
    change7d: null,
    modes: [],
    maps,
    ...computed,
    ...change,
  }
}

/** The places of a map that 31 players who count have finished. */
export function mapPoints(change: Partial<MapPoints> = {}): MapPoints {
  const places = [1, 2, 3, 4, 5, 10, 20, 31].map((place) => ({
    place,
    ...pointsOf({ opponents: 30, beaten: 31 - place, place }),
  }))
  return { ranked: true, reason: null, publicReason: null, finishers: 31, places, ...computed, ...change }
}

/** A group of one unread notification. */
export function aGroup(change: Partial<InboxGroup> = {}): InboxGroup {
  return {
    _id: '01900000-0000-7000-8000-0000000000d1',
    kind: 'record_lost',
    map: aRecord().map,
    recordId: '01900000-0000-7000-8000-0000000000b1',
    finishTime: 41_267,
    ownFinishTime: null,
    decisionId: null,
    player: null,
    decision: null,
    publicReason: null,
    appeal: null,
    link: { kind: 'record', id: '01900000-0000-7000-8000-0000000000b1' },
    from: null,
    to: null,
    pointsLost: null,
    count: 1,
    actors: [mossfoot],
    actorCount: 1,
    at: '2026-05-11T18:05:00.000Z',
    read: false,
    removedSince: false,
    ...change,
  }
}

/** Wraps rows as the searches answer them. */
export function page<T>(
  data: T[],
  pagination: Partial<{ total: number; page: number; limit: number; pages: number }> = {},
) {
  const { limit = 12, pages = 1 } = pagination
  return {
    success: true,
    data,
    pagination: { total: (pages - 1) * limit + data.length, page: 1, limit, pages, ...pagination },
  }
}
