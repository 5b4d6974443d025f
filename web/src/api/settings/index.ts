import { TAG_TYPES } from '..'
import { generatedSettingsApi } from './generated'

const settings = (id: 'tokens' | 'webhooks' | 'deletion') => ({ type: 'Settings' as const, id })

/** The part of the client that the pages of settings need. */
export const settingsApi = generatedSettingsApi.enhanceEndpoints({ addTagTypes: TAG_TYPES }).enhanceEndpoints({
  endpoints: {
    listTokens: { providesTags: [settings('tokens')] },
    // Also after a refusal: another tab may have changed it before.
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

export * from './generated'
