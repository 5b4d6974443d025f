import { t } from '@lingui/core/macro'
import { type InboxRead, useReadInboxMutation } from '@/api'
import { errorText } from '@/api/error'
import { toaster } from '@/ui/toaster'

/** Returns a function that marks a group, or everything through one, as read. */
export function useMarkRead(): (read: InboxRead) => Promise<void> {
  const [readInbox] = useReadInboxMutation()
  return async (inboxRead) => {
    const { error } = await readInbox({ inboxRead })
    if (error) toaster.error({ id: 'mark read', title: errorText(error, t`This could not be marked as read`) })
  }
}
