import type { ListInboxApiArg, NotificationKind } from '@/api'
import { before, flag, oneOf, setOf, type ViewOf } from '@/ui/address'
import { KINDS } from './sentences'

export const NEWEST_GROUPS = { limit: 8 } as const satisfies ListInboxApiArg

const PAGE_SIZE = 20

const NAMES = Object.keys(KINDS) as NotificationKind[]

/** The notifications that an address asks for. */
export const inboxAddress = { unread: flag(), kind: oneOf(NAMES, ''), before }

/** The request for them. */
export const inboxRequest = (view: ViewOf<typeof inboxAddress>): ListInboxApiArg => ({
  ...setOf(view),
  limit: PAGE_SIZE,
})
