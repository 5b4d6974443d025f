import { TAG_TYPES } from '.'
import { generatedSettingsApi } from './generatedSettings'

/** The part of the client that the pages of settings need. */
export const settingsApi = generatedSettingsApi.enhanceEndpoints({ addTagTypes: TAG_TYPES }).enhanceEndpoints({
  endpoints: {
    getInboxSettings: { providesTags: [{ type: 'Settings', id: 'inbox' }] },
    updateInboxSettings: { invalidatesTags: [{ type: 'Settings', id: 'inbox' }] },
  },
})

export const { useGetInboxSettingsQuery, useUpdateInboxSettingsMutation } = settingsApi

export type * from './generatedSettings'
