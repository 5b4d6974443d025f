import type { InboxGroup, InboxPage, ListInboxApiArg } from '@/api'
import type { ListQuery } from '@/ui/lists'
import { isKind } from './sentences'

export const NEWEST_GROUPS = { limit: 8 } as const satisfies ListInboxApiArg

const PAGE_SIZE = 20

/** The notifications that an address asks for. */
export function inboxView(address: URLSearchParams): ListInboxApiArg {
  const kind = address.get('kind')
  const before = address.get('before')
  return {
    ...(address.get('unread') === 'true' && { unread: true }),
    ...(isKind(kind) && { kind }),
    ...(before && { before }),
    limit: PAGE_SIZE,
  }
}

/** Returns the address that asks for notifications. */
export const inboxAddress = ({ unread, kind, before }: ListInboxApiArg): Record<string, string> => ({
  ...(unread && { unread: 'true' }),
  ...(kind && { kind }),
  ...(before && { before }),
})

export const idOf = ({ _id }: InboxGroup) => _id

interface InboxQuery extends Omit<ListQuery<InboxGroup>, 'currentData' | 'data'> {
  currentData?: InboxPage | undefined
}

/** Returns a query of the inbox as a list, whose number of entries is that of its page. */
export function groupsOf({ currentData: page, error, isFetching, refetch }: InboxQuery): ListQuery<InboxGroup> {
  const currentData = page && { data: page.data, pagination: { total: page.data.length } }
  return { currentData, error, isFetching, refetch }
}
