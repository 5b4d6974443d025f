import type {
  Comparison,
  Goal,
  ImprovedMap,
  InboxGroup,
  ListedRecord,
  MapHistory,
  MapProgress,
  MapVersion,
  NotificationKind,
  ParkourMap,
  Player,
  PlayerMapPoints,
  PlayerPoints,
  PlayerStatistics,
  PointsDay,
  RankingRow,
  RecordDetails,
  Verification,
} from '../../src/api'
import type { CaseSummary } from '../../src/api/desk'
import { aCase, aCaseSummary, aDecision } from '../../src/test/deskFixtures'
import {
  aGroup,
  aMap,
  aPlayer,
  aRankingRow,
  aRecord,
  playerPoints,
  somePoints,
  someProgress,
  someRecordDetails,
} from '../../src/test/fixtures'

const names = ['cloudstep', 'mossfoot', 'pebblehop', 'Rain', 'Tumblewing', 'a_very_long_player_name']
const skins = ['#8e24aa', '#43a047', '#ffb300', '#1e88e5', '#e53935', null]

export const id = (kind: string, i: number) => `01900000-0000-7000-8000-${kind}${String(i).padStart(11, '0')}`

export const playerRef = (i: number) => ({
  _id: id('1', i % names.length),
  name: names[i % names.length] ?? '',
  skinImageUrl: null,
  skinColor: skins[i % skins.length] ?? null,
})

const mapNames = ['Skyline Run', 'Moss Garden', 'The Long Way Around the Clock Tower', 'Ice Drop', 'Vtol 3', 'Grip']
const modes = ['Classic', 'Grapple', 'VTOL', 'Arrows', 'Death Arrows', 'Simple'] as const

export const mapOf = (i: number): ParkourMap =>
  aMap({
    _id: id('a', i),
    name: mapNames[i % mapNames.length] ?? '',
    imageUrl: `/media/maps/${i}.webp`,
    thumbnailUrl: `/media/maps/${i}-480.webp`,
    drawingUrl: `/media/maps/${i}.svg`,
    pictureUrl: `/media/maps/${i}-drawn.webp`,
    version: 2,
    worldRecord: { _id: id('b', 0), finishTime: 41267, player: playerRef(0) },
    gameMode: modes[i % modes.length] ?? 'Classic',
    author: playerRef(i),
    submittedBy: playerRef(i + 1),
    tags: ['city', 'tricky', 'long', 'night'].slice(0, (i % 4) + 1),
    recordCount: i * 37,
    description: 'Over the roofs, down the chimney, and back before the bell.\nMind the third gap.',
    bonkDbId: 912044 + i,
    bonkDBID: 912044 + i,
    contributors: ['mossfoot'],
    remixOf: { bonkDbId: 911000, name: 'Skyline', author: 'Rain' },
  })

export const playerOf = (i: number): Player =>
  aPlayer({
    ...playerRef(i),
    level: i * 11,
    roles: [['admin', 'validator'], ['moderator'], [], ['validator'], ['racer'], []][i % 6] ?? [],
    registered: i !== 5,
    mapCount: 3,
    recordCount: 24,
  })

const medals = ['author', 'gold', 'silver', 'bronze', null] as const

export const recordOf = (i: number): ListedRecord =>
  aRecord({
    _id: id('b', i),
    player: playerRef(i),
    map: { _id: id('a', i), name: mapOf(i).name },
    finishTime: 41267 + i * 5367,
    medal: medals[Math.min(i, 4)] ?? null,
    rank: i + 1,
    gap: { toAbove: i > 0 ? 5367 : 0, toFirst: i * 5367 },
    ...(i < 6 && { points: somePoints(31, i + 1, 1).points }),
  })

export const recordDetails: RecordDetails = someRecordDetails({
  ...recordOf(2),
  previousBest: 55333,
  previousWorldRecord: 47000,
  worldRecord: { _id: id('b', 0), finishTime: 41267, player: playerRef(0) },
  nextAbove: { _id: id('b', 1), player: playerRef(1), finishTime: 46_634, rank: 2, gap: 5367 },
  newestVersion: false,
})

export const comparison: Comparison = {
  player: playerRef(0),
  opponent: playerRef(5),
  score: { wins: 12, losses: 9, ties: 2 },
  modes: modes.slice(0, 3).map((mode, i) => ({ mode, score: { wins: 4 * i, losses: 3, ties: i } })),
  maps: Array.from({ length: 9 }, (_, i) => ({
    map: { _id: id('a', i), name: mapOf(i).name },
    mode: mapOf(i).gameMode,
    player: { _id: id('b', i), finishTime: 41267 + (i - 4) * 367 },
    opponent: { _id: id('b', i + 20), finishTime: 41267 },
    difference: (i - 4) * 367,
  })),
}

export const statistics: PlayerStatistics = {
  finished: { total: 42, of: 75 },
  modes: modes.map((mode, i) => ({
    mode,
    finished: 12 - i,
    of: 15,
    medals: { author: i % 2, gold: 2, silver: 3, bronze: 1, none: 6 - i - (i % 2) },
  })),
  worldRecords: {
    now: 3,
    ever: 8,
    longestReign: {
      map: { _id: id('a', 2), name: mapOf(2).name },
      record: id('b', 2),
      from: '2026-01-11T12:00:00.000Z',
      until: '2026-03-02T12:00:00.000Z',
      milliseconds: 50 * 86_400_000,
    },
  },
  lostWorldRecords: [
    {
      map: { _id: id('a', 2), name: mapOf(2).name },
      record: id('b', 2),
      finishTime: 41267,
      from: '2026-01-11T12:00:00.000Z',
      until: '2026-03-02T12:00:00.000Z',
      milliseconds: 50 * 86_400_000,
      brokenBy: { record: id('b', 3), player: playerRef(1), finishTime: 41200 },
    },
  ],
  bestPlacements: Array.from({ length: 3 }, (_, i) => ({
    map: { _id: id('a', i), name: mapOf(i).name },
    mode: mapOf(i).gameMode,
    rank: i + 1,
    of: 34,
    record: id('b', i),
    finishTime: 41267 + i * 1233,
  })),
  activity: Array.from({ length: 24 }, (_, i) => ({
    month: `${2024 + Math.floor((i + 5) / 12)}-${String(((i + 5) % 12) + 1).padStart(2, '0')}`,
    records: (i * 7) % 11,
  })),
}

export const improvedOf = (i: number): ImprovedMap => ({
  map: { _id: id('a', i), name: mapOf(i).name },
  mapVersion: 2,
  mode: mapOf(i).gameMode,
  firstFinishTime: 61_900,
  best: { _id: id('b', i), finishTime: 41267 + i * 1233, createdAt: '2026-05-11T18:05:00.000Z' },
  improvements: 6 - i,
  improvedBy: 61_900 - 41267 - i * 1233,
})

/** A row of a ranking; the first six players are in it. */
export const rankingRowOf = (i: number): RankingRow =>
  aRankingRow({
    rank: i + 1,
    player: playerRef(i),
    value: 2412.4 - i * 217.3,
    points: 2412.4 - i * 217.3,
    worldRecords: 9 - i,
    medals: { author: 6 - i, gold: 7, silver: 12 - i, bronze: 3 },
    finished: 42 - 3 * i,
    change7d: i === 5 ? null : { points: 41.2 - i * 17.6, places: 2 - i },
  })

const pointsOn = (finishers: number, place: number, position: number): PlayerMapPoints => ({
  ...somePoints(finishers, place, position),
  map: { _id: id('a', position), name: mapOf(position).name },
  record: id('b', position),
})

export const points: PlayerPoints = playerPoints(
  [
    pointsOn(81, 8, 1),
    pointsOn(31, 2, 2),
    pointsOn(31, 8, 3),
    pointsOn(41, 21, 4),
    {
      ...pointsOn(3, 1, 5),
      ...{ finish: 0, beatenPoints: 0, placeBonus: 0, points: 0, share: 0, finishersMissing: 2 },
    },
  ],
  {
    player: playerRef(0),
    change7d: {
      points: 41.2,
      places: 3,
      since: '2026-05-04',
      causes: (['improved', 'others', 'gone'] as const).map((kind, i) => ({
        map: { _id: id('a', i + 1), name: mapOf(i + 1).name },
        kind,
        pointsBefore: 372.2,
        points: kind === 'gone' ? 0 : 420,
        change: [45.4, -3.5, -1][i] ?? 0,
      })),
      rest: 0.3,
    },
  },
)

export const pointsDays: PointsDay[] = [1, 2, 4, 5, 8, 9].map((day, i) => ({
  day: `2026-05-0${day}`,
  points: 900 + ((i * 7) % 5) * 80,
  rank: 20 - ((i * 7) % 5) * 2,
}))

export const verification: Verification = {
  checkedAt: '2026-05-11T18:05:00.000Z',
  checks: [
    { name: 'read_by_server', result: 'passed', sentence: 'The server itself read the replay file.' },
    { name: 'own_replay', result: 'passed', sentence: "The player's name in the replay is that of the account." },
    { name: 'time_stamp_plausible', result: 'not_applicable', sentence: 'The replay has no time stamp.' },
  ],
  notChecked: [{ name: 'simulation', sentence: 'The run was not simulated again.' }],
}

export const versions: MapVersion[] = [2, 1].map((version) => ({
  _id: id('a', 2 - version),
  version,
  name: mapOf(0).name,
  createdAt: '2026-05-11T18:02:33.120Z',
  recordCount: 24,
  newest: version === 2,
}))

/** A history of this many world records, one a day, the last of which was replaced, too. */
export const historyOf = (days: number): MapHistory => ({
  steps: Array.from({ length: days }, (_, i) => ({
    _id: id('b', i),
    finishTime: 61900 - i * 3433,
    player: playerRef(i),
    from: `2026-05-1${i}T12:00:00.000Z`,
    until: `2026-05-1${i + 1}T12:00:00.000Z`,
  })),
  holders: Array.from({ length: 3 }, (_, i) => ({
    player: playerRef(i),
    reigns: 3 - i,
    heldFor: (3 - i) * 86_400_000,
    current: false,
  })),
})

/** The progress on the maps of a page: the best of all, others with medals, none, and maps that were not played. */
export function progressOf(map: string, i: number): MapProgress {
  const { best } = someProgress()
  const change = [
    { best: best && { ...best, rank: 1, medal: 'author', toNextMedal: null, toWorldRecord: 0 }, nextMedal: null },
    {},
    { best: null, nextMedal: { medal: 'bronze', finishTime: 61_900 } },
    { best: best && { ...best, rank: 128, medal: null, toNextMedal: null, toWorldRecord: 13_400 }, nextMedal: null },
    { best: null, nextMedal: null, playedOlderVersion: true },
    { best: best && { ...best, rank: 2, toNextMedal: 12_300, toWorldRecord: 13_400 } },
  ] satisfies Partial<MapProgress>[]
  return someProgress({ map, ...change[i % change.length] })
}

/** The next goals: medals, and the place above. */
export const goals: Goal[] = (['gold', 'author', 'silver', null, 'bronze'] as const).map((medal, i) => ({
  map: { _id: id('a', i), name: mapOf(i).name },
  mode: mapOf(i).gameMode,
  best: { finishTime: 44_467 + i * 900, rank: 14 - i, medal: medals[i + 1] ?? null },
  target: { kind: medal ? 'medal' : 'place', medal, rank: medal ? null : 10, finishTime: 43_733 },
  gap: 734 + i * 900,
  medalTimes: { author: 41_267, gold: 43_733, silver: 49_533, bronze: 61_900 },
  relativeGap: 0.0165 + i * 0.02,
}))

const kinds: NotificationKind[] = [
  ...(['record_lost', 'record_regained', 'passed', 'record_on_my_map', 'followed_record'] as const),
  ...(['followed_map_record', 'map_new_version', 'report_decided', 'moderated', 'appeal_answered'] as const),
]

/** A group of each kind, the first of them unread, and one whose cause was removed. */
export const groups: InboxGroup[] = kinds.map((kind, i) =>
  aGroup({
    _id: id('d', i),
    kind,
    map: { _id: id('a', i), name: mapOf(i).name },
    recordId: id('b', i),
    finishTime: i < 6 ? 41267 + i * 1233 : null,
    from: kind === 'passed' ? 3 : null,
    to: kind === 'passed' ? 6 : null,
    pointsLost: kind === 'passed' ? 93.4 : null,
    count: (i % 3) + 1,
    actors: [playerRef(i + 1)],
    actorCount: kind === 'passed' ? 3 : 1,
    read: i > 2,
    removedSince: i === 4,
  }),
)

export const settings = kinds.map((kind, i) => ({ kind, delivery: i === 0 ? 'browser' : i === 5 ? 'off' : 'inbox' }))

const flagged = aCase({
  subject: {
    kind: 'record',
    id: id('b', 0),
    player: playerRef(2),
    map: { _id: id('a', 0), name: mapNames[0] ?? '' },
    finishTime: 38_100,
  },
})

/** A case that the moderator of the pictures has claimed, with all that a decision needs. */
export const deskCase = aCase({
  ...flagged,
  claim: { player: playerRef(0), until: '2026-05-11T20:15:00.000Z', mine: true },
  decisions: [aDecision({ kind: 'warn', subject: flagged.subject, by: playerRef(1) })],
})

/** Cases about each kind of thing, some of which are claimed. */
export const caseOf = (i: number): CaseSummary => {
  const kind = (['record', 'map', 'player'] as const)[i % 3] ?? 'record'
  return aCaseSummary({
    _id: id('c', i),
    subject: {
      kind,
      id: id('b', i),
      player: playerRef(i),
      map: kind === 'player' ? null : { _id: id('a', i), name: mapOf(i).name },
      finishTime: kind === 'record' ? 41267 + i * 5367 : null,
    },
    priority: 90 - i * 7,
    reports: (i % 4) + 1,
    flags: i % 2,
    claim: i === 1 ? { player: playerRef(3), until: '2026-05-11T20:15:00.000Z', mine: false } : null,
  })
}

export const precision = [{ kind: 'large_lead', judged: 50, confirmed: 31, silent: false }]

export const recordEffects = {
  movedUp: 23,
  nextBest: false,
  worldRecord: true,
  nextWorldRecord: { _id: id('b', 1), finishTime: 46_500, player: playerRef(1) },
  restoration: null,
}
