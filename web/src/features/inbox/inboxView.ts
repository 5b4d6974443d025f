import type { InboxGroup, ListInboxApiArg } from '@/api'
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
