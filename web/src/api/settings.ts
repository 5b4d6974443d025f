import { TAG_TYPES } from '.'
import { generatedSettingsApi } from './generatedSettings'

const settings = (id: 'inbox' | 'tokens' | 'webhooks' | 'deletion') => ({ type: 'Settings' as const, id })

/** The part of the client that the pages of settings need, what players follow, and goals they put aside. */
export const settingsApi = generatedSettingsApi.enhanceEndpoints({ addTagTypes: TAG_TYPES }).enhanceEndpoints({
  endpoints: {
    getInboxSettings: { providesTags: [settings('inbox')] },
    updateInboxSettings: { invalidatesTags: [settings('inbox')] },
    listFollows: { providesTags: ['Follow'] },
    getPlayerFollow: { providesTags: ['Follow'] },
    getMapFollow: { providesTags: ['Follow'] },
    followPlayer: { invalidatesTags: ['Follow'] },
    unfollowPlayer: { invalidatesTags: ['Follow'] },
    followMap: { invalidatesTags: ['Follow'] },
    unfollowMap: { invalidatesTags: ['Follow'] },
    putGoalAside: { invalidatesTags: ['Goals'] },
    takeUpGoal: { invalidatesTags: ['Goals'] },
    listTokens: { providesTags: [settings('tokens')] },
    // Also where it was refused: another tab may have been faster.
    createToken: { invalidatesTags: [settings('tokens')] },
    revokeToken: { invalidatesTags: [settings('tokens')] },
    listWebhooks: { providesTags: [settings('webhooks')] },
    getWebhook: { providesTags: [settings('webhooks')] },
    listWebhookDeliveries: { providesTags: [settings('webhooks')] },
    createWebhook: { invalidatesTags: [settings('webhooks')] },
    updateWebhook: { invalidatesTags: [settings('webhooks')] },
    deleteWebhook: { invalidatesTags: (_answer, error) => (error ? [] : [settings('webhooks')]) },
    testWebhook: { invalidatesTags: [settings('webhooks')] },
    rotateWebhookSecret: { invalidatesTags: [settings('webhooks')] },
    sendWebhookDelivery: { invalidatesTags: [settings('webhooks')] },
    getOwnDeletion: { providesTags: [settings('deletion')] },
    scheduleOwnDeletion: { invalidatesTags: [settings('deletion')] },
    cancelOwnDeletion: { invalidatesTags: [settings('deletion')] },
  },
})

export const {
  useCancelOwnDeletionMutation,
  useCreateTokenMutation,
  useCreateWebhookMutation,
  useDeleteWebhookMutation,
  useFollowMapMutation,
  useFollowPlayerMutation,
  useGetInboxSettingsQuery,
  useGetMapFollowQuery,
  useGetOwnDeletionQuery,
  useGetPlayerFollowQuery,
  useGetWebhookQuery,
  useListFollowsQuery,
  useListTokensQuery,
  useListWebhookDeliveriesQuery,
  useListWebhooksQuery,
  usePutGoalAsideMutation,
  useRevokeTokenMutation,
  useRotateWebhookSecretMutation,
  useScheduleOwnDeletionMutation,
  useSendWebhookDeliveryMutation,
  useTakeUpGoalMutation,
  useTestWebhookMutation,
  useUnfollowMapMutation,
  useUnfollowPlayerMutation,
  useUpdateInboxSettingsMutation,
  useUpdateWebhookMutation,
} = settingsApi

export type * from './generatedSettings'
