import { LIST, one, TAG_TYPES } from '..'
import { generatedDeskApi } from './generated'

// A decision may change every list of records, maps and players, and who is ranked.
const DECIDED = ['Desk', 'Decision', 'Record', 'Leaderboard', 'Map', 'Player', 'Stats', 'Own', 'Ranking'] as const
// Other medal times change medals, and what is missing to the next one.
const EDITED = ['Map', 'Record', 'Leaderboard', 'PopularTags', 'Own'] as const

/**
 * The part of the client that the first pages of a visitor do not need: reports, the moderators' desk, decisions, and
 * maps that are submitted or changed.
 */
export const deskApi = generatedDeskApi.enhanceEndpoints({ addTagTypes: TAG_TYPES }).enhanceEndpoints({
  endpoints: {
    listCases: { providesTags: ['Desk'] },
    getCase: { providesTags: ['Desk'] },
    claimCase: { invalidatesTags: ['Desk'] },
    releaseCase: { invalidatesTags: ['Desk'] },
    // Also after a refusal: another moderator may have changed it before.
    decideCase: { invalidatesTags: [...DECIDED] },
    undoDecision: { invalidatesTags: [...DECIDED] },
    listAppeals: { providesTags: ['Desk'] },
    answerAppeal: { invalidatesTags: [...DECIDED] },
    listFlagPrecision: { providesTags: ['Desk'] },
    listAudit: { providesTags: ['Desk'] },
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
              'Own',
            ]
          : [],
    },
    editMap: { invalidatesTags: [...EDITED] },
    listMapEdits: { providesTags: one('Map') },
    undoMapEdit: { invalidatesTags: [...EDITED] },
    getOwnDecision: { providesTags: ['Decision'] },
    listOwnDecisions: { providesTags: ['Decision'] },
    createAppeal: { invalidatesTags: ['Decision'] },
    addAppealMessage: { invalidatesTags: ['Decision'] },
    getRecordEffects: { keepUnusedDataFor: 0 },
    getHidingEffects: { keepUnusedDataFor: 0 },
    getMapEffects: { keepUnusedDataFor: 0 },
    getRecordEvidence: { keepUnusedDataFor: 0 },
    searchListedMaps: { providesTags: [{ type: 'Map', id: LIST }] },
    getRecordModeration: { providesTags: one('Record') },
  },
})

export * from './generated'
