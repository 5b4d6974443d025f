import type { TagDescription } from '@reduxjs/toolkit/query'
import { generatedApi } from './generated'

/** The tags of what the API answers to each player about themselves. */
export const OWN_TAGS = ['Own', 'Inbox', 'InboxCount', 'Settings', 'Follow', 'Desk', 'Decision'] as const
export const TAG_TYPES = [
  ...OWN_TAGS,
  ...(['Map', 'Player', 'Record', 'Leaderboard', 'Stats', 'PopularTags', 'Goals', 'Ranking'] as const),
] as const
export type Tag = TagDescription<(typeof TAG_TYPES)[number]>
type TagType = (typeof TAG_TYPES)[number]

// A list has the tag LIST besides those of its entries: a new entry changes every list.
export const LIST = 'LIST'
/** The id in the tag of a list of the newest, such as on the home page. The server's events invalidate it. */
export const NEWEST = 'NEWEST'
const list = (type: TagType, page: { data: { _id: string }[] } | undefined) => [
  { type, id: LIST },
  ...(page?.data ?? []).map(({ _id }) => ({ type, id: _id })),
]

/** Returns the tags of a query for the one entry that its request names. */
export const one =
  <Type extends TagType>(type: Type) =>
  (_answer: unknown, _error: unknown, { id }: { id: string }) => [{ type, id }]

/** The generated client with tags, which name what a query shows and a mutation changes. */
export const api = generatedApi.enhanceEndpoints({ addTagTypes: TAG_TYPES }).enhanceEndpoints({
  endpoints: {
    searchMaps: {
      providesTags: (answer, _error, { page, progress, sortBy }) => [
        ...list('Map', answer),
        ...(page === undefined ? [{ type: 'Map', id: NEWEST } as const] : []),
        ...(progress || sortBy === 'toNextMedal' || sortBy === 'myRank' ? (['Own'] as const) : []),
      ],
    },
    // It has the world record of the leaderboard, and the number of its records.
    getMap: {
      providesTags: (_answer, _error, { id }) => [
        { type: 'Map', id },
        { type: 'Leaderboard', id },
      ],
    },
    popularTags: { providesTags: ['PopularTags'] },
    searchPlayers: { providesTags: (page) => list('Player', page) },
    getPlayer: { providesTags: one('Player') },
    listRecords: {
      providesTags: (page, _error, { map, player, following }) => {
        if (map) return [{ type: 'Leaderboard', id: map }, ...(following ? (['Follow'] as const) : [])]
        return [...list('Record', page), player ? { type: 'Player', id: player } : { type: 'Record', id: NEWEST }]
      },
    },
    listWorldRecords: {
      providesTags: (answer) => [...list('Record', answer), { type: 'Record', id: NEWEST }],
    },
    comparePlayers: {
      providesTags: (_answer, _error, { id, opponent }) => [
        { type: 'Player', id },
        { type: 'Player', id: opponent },
        { type: 'Record', id: LIST },
      ],
    },
    getPlayerStatistics: { providesTags: one('Player') },
    listImprovements: { providesTags: one('Player') },
    getImprovement: { providesTags: one('Player') },
    listRankings: { providesTags: ['Ranking'] },
    getPlayerPoints: { providesTags: ['Ranking'] },
    getPlayerPointsHistory: { providesTags: ['Ranking'] },
    getMapPoints: { providesTags: ['Ranking'] },
    // Its rank and the row above are those of the leaderboard.
    getRecord: {
      providesTags: (answer, _error, { id }) => [
        { type: 'Record', id },
        ...(answer ? [{ type: 'Leaderboard', id: answer.data.map._id } as const] : []),
      ],
    },
    getRecordVerification: { providesTags: one('Record') },
    getMapHistory: { providesTags: one('Leaderboard') },
    listMapVersions: { providesTags: ['Map'] },
    getMapData: { providesTags: one('Map') },
    getStats: { providesTags: ['Stats'] },
    // What the answer says is about the player who asks. That on a single map has ranks of its leaderboard.
    getProgress: {
      providesTags: (_answer, _error, { maps }) => [
        'Own',
        ...(maps.includes(',') ? [] : [{ type: 'Leaderboard', id: maps } as const]),
      ],
    },
    // A player's name and avatar are shown with maps and records.
    updatePlayer: {
      invalidatesTags: (_answer, _error, { id }) => [{ type: 'Player', id }, 'Map', 'Record', 'Leaderboard'],
    },
    getGoals: { providesTags: ['Own', 'Goals'] },
    putGoalAside: { invalidatesTags: ['Goals'] },
    takeUpGoal: { invalidatesTags: ['Goals'] },
    listFollows: { providesTags: ['Follow'] },
    getPlayerFollow: { providesTags: ['Follow'] },
    getMapFollow: { providesTags: ['Follow'] },
    followPlayer: { invalidatesTags: ['Follow'] },
    unfollowPlayer: { invalidatesTags: ['Follow'] },
    followMap: { invalidatesTags: ['Follow'] },
    unfollowMap: { invalidatesTags: ['Follow'] },
    getInboxSettings: { providesTags: [{ type: 'Settings', id: 'inbox' }] },
    updateInboxSettings: { invalidatesTags: [{ type: 'Settings', id: 'inbox' }] },
    listInbox: { providesTags: ['Inbox'] },
    countInbox: { providesTags: ['InboxCount'] },
    readInbox: {
      invalidatesTags: ['Inbox'],
      async onQueryStarted(_read, { dispatch, queryFulfilled }) {
        const answer = await queryFulfilled.catch(() => null)
        if (answer) dispatch(generatedApi.util.upsertQueryData('countInbox', undefined, answer.data))
      },
    },
    submitRecord: {
      invalidatesTags: (answer) =>
        answer
          ? [
              { type: 'Leaderboard', id: answer.data.record.map },
              { type: 'Map', id: answer.data.record.map },
              { type: 'Player', id: answer.data.record.player },
              // Ranks, gaps and the record above move on the pages of other records, too.
              'Record',
              'Stats',
              'Own',
              'Ranking',
            ]
          : [],
    },
    // Each room and each status is asked for anew.
    requestRoomLink: { keepUnusedDataFor: 0 },
    getLoginStatus: { keepUnusedDataFor: 0 },
  },
})

export * from './generated'
