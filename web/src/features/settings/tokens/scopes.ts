import { t } from '@lingui/core/macro'
import type { TokenScope } from '@/api/settings'

/** Returns the scopes in their order, each with its name and what a token with it may do. */
export const scopeTexts = (): Record<TokenScope, [name: string, text: string]> => ({
  'records:submit': [t`Submit records`, t`Submits replays in your name.`],
  'inbox:read': [t`Read the inbox`, t`Reads your notifications, also live, and marks them as read.`],
  follows: [t({ message: 'Follow', context: 'scope of a token' }), t`Reads and changes whom and what you follow.`],
  webhooks: [t`Webhooks`, t`Creates, changes and deletes your webhooks.`],
})
