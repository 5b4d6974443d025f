import { generatedApi } from './generated'

export const TAG_TYPES = ['Map', 'Player', 'Record', 'Leaderboard', 'Stats', 'PopularTags', 'Own', 'Goals'] as const
type TagType = (typeof TAG_TYPES)[number]

// A list has the tag LIST besides those of its entries: a new entry changes every list.
const LIST = 'LIST'
const list = (type: TagType, page: { data: { _id: string }[] } | undefined) => [
  { type, id: LIST },
  ...(page?.data ?? []).map(({ _id }) => ({ type, id: _id })),
]

/** The generated client with tags, which name what a query shows and a mutation changes. */
export const api = generatedApi.enhanceEndpoints({ addTagTypes: TAG_TYPES }).enhanceEndpoints({
  endpoints: {
    searchMaps: {
      providesTags: (page, _error, { progress, sortBy }) => [
        ...list('Map', page),
        ...(progress || sortBy === 'toNextMedal' || sortBy === 'myRank' ? (['Own'] as const) : []),
      ],
    },
    getMap: { providesTags: (_answer, _error, { id }) => [{ type: 'Map', id }] },
    popularTags: { providesTags: ['PopularTags'] },
    searchPlayers: { providesTags: (page) => list('Player', page) },
    getPlayer: { providesTags: (_answer, _error, { id }) => [{ type: 'Player', id }] },
    listRecords: {
      providesTags: (page, _error, { map }) => (map ? [{ type: 'Leaderboard', id: map }] : list('Record', page)),
    },
    comparePlayers: {
      providesTags: (_answer, _error, { id, opponent }) => [
        { type: 'Player', id },
        { type: 'Player', id: opponent },
        { type: 'Record', id: LIST },
      ],
    },
    getPlayerStatistics: { providesTags: (_answer, _error, { id }) => [{ type: 'Player', id }] },
    listImprovements: { providesTags: (_answer, _error, { id }) => [{ type: 'Player', id }] },
    getImprovement: { providesTags: (_answer, _error, { id }) => [{ type: 'Player', id }] },
    getRecord: { providesTags: (_answer, _error, { id }) => [{ type: 'Record', id }] },
    getRecordVerification: { providesTags: (_answer, _error, { id }) => [{ type: 'Record', id }] },
    getMapHistory: { providesTags: (_answer, _error, { id }) => [{ type: 'Leaderboard', id }] },
    listMapVersions: { providesTags: ['Map'] },
    getMapData: { providesTags: (_answer, _error, { id }) => [{ type: 'Map', id }] },
    getStats: { providesTags: ['Stats'] },
    // What the answer says is about the player who asks.
    getProgress: { providesTags: ['Own'] },
    getGoals: { providesTags: ['Own', 'Goals'] },
    putGoalAside: { invalidatesTags: ['Goals'] },
    takeUpGoal: { invalidatesTags: ['Goals'] },
    submitMap: {
      invalidatesTags: (answer) =>
        answer
          ? [
              { type: 'Map', id: LIST },
              // A submission may update the newest version of a map, or make another one the newest.
              { type: 'Map', id: answer.data._id },
              { type: 'Player', id: answer.data.author._id },
              { type: 'Record', id: LIST },
              'Stats',
              'PopularTags',
            ]
          : [],
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
            ]
          : [],
    },
    // A player's name and avatar are shown with maps and records.
    updatePlayer: {
      invalidatesTags: (_answer, _error, { id }) => [{ type: 'Player', id }, 'Map', 'Record', 'Leaderboard'],
    },
    // Each room and each status is asked for anew.
    requestRoomLink: { keepUnusedDataFor: 0 },
    getLoginStatus: { keepUnusedDataFor: 0 },
  },
})

export const {
  useComparePlayersQuery,
  useDrawMapMutation,
  useGetImprovementQuery,
  useGetGoalsQuery,
  useGetMapHistoryQuery,
  useGetMapQuery,
  useGetPlayerQuery,
  useGetProgressQuery,
  useGetPlayerStatisticsQuery,
  useGetRecordQuery,
  useGetRecordVerificationQuery,
  useGetStatsQuery,
  useListImprovementsQuery,
  useListMapVersionsQuery,
  useListRecordsQuery,
  useListStartersQuery,
  useLogoutMutation,
  usePopularTagsQuery,
  usePutGoalAsideMutation,
  useSearchMapsQuery,
  useSearchPlayersQuery,
  useSubmitMapMutation,
  useSubmitRecordMutation,
  useTakeUpGoalMutation,
  useUpdatePlayerMutation,
  useVerifyCodeMutation,
} = api

export type * from './generated'
