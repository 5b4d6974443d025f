import { generatedApi } from './generated'

// api is the generated client with tags: what a change makes stale.
export const api = generatedApi.enhanceEndpoints({
  addTagTypes: ['Map', 'Player', 'Record', 'Stats', 'Tags'],
  endpoints: {
    searchMaps: { providesTags: ['Map'] },
    getMap: { providesTags: ['Map'] },
    popularTags: { providesTags: ['Tags'] },
    searchPlayers: { providesTags: ['Player'] },
    getPlayer: { providesTags: ['Player'] },
    listRecords: { providesTags: ['Record'] },
    getRecord: { providesTags: ['Record'] },
    getStats: { providesTags: ['Stats'] },
    submitMap: { invalidatesTags: ['Map', 'Record', 'Stats', 'Tags', 'Player'] },
    submitRecord: { invalidatesTags: ['Map', 'Record', 'Stats', 'Player'] },
    updatePlayer: { invalidatesTags: ['Player', 'Map', 'Record'] },
    // Each room and each status is asked for anew.
    requestRoomLink: { keepUnusedDataFor: 0 },
    getLoginStatus: { keepUnusedDataFor: 0 },
  },
})

export const {
  useGetMapQuery,
  useGetPlayerQuery,
  useGetStatsQuery,
  useListRecordsQuery,
  useLogoutMutation,
  usePopularTagsQuery,
  useSearchMapsQuery,
  useSearchPlayersQuery,
  useSubmitMapMutation,
  useSubmitRecordMutation,
  useUpdatePlayerMutation,
  useVerifyCodeMutation,
} = api

export type * from './generated'
