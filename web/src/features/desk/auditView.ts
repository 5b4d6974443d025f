import type { AuditEntry, ListAuditApiArg } from '@/api/desk'
import { dayAfter, dayOf } from './days'

const PAGE_SIZE = 50

export interface AuditFilters {
  actor: string
  subject: string
  action: string
  /** Days as the fields have them; the last is included. */
  from: string
  to: string
}

const NAMES = ['actor', 'subject', 'action', 'from', 'to'] as const

/** The filters of an address. */
export const filtersOf = (address: URLSearchParams) =>
  Object.fromEntries(NAMES.map((name) => [name, address.get(name)?.trim() ?? ''])) as unknown as AuditFilters

/** Returns the address with filters, and with the row before which a page begins. */
export const auditAddress = (filters: AuditFilters, before?: string): Record<string, string> => ({
  ...Object.fromEntries(NAMES.flatMap((name) => (filters[name] ? [[name, filters[name]]] : []))),
  ...(before && { before }),
})

/** What an address asks of the server. A day that is none is left out. */
export function auditQuery(address: URLSearchParams): ListAuditApiArg {
  const { actor, subject, action, from, to } = filtersOf(address)
  const before = address.get('before')
  const start = dayOf(from)
  const end = dayOf(to)
  return {
    ...(actor && { actor }),
    ...(subject && { subject }),
    ...(action && { action }),
    ...(start && { from: start.toISOString() }),
    ...(end && { to: dayAfter(end).toISOString() }),
    ...(before && { before }),
    limit: PAGE_SIZE,
  }
}

/** A field of what was changed. */
export interface ChangedField {
  name: string
  before: string
  after: string
}

/** Returns the fields that a change has set, in the order of their names. A field without a value is ''. */
export function changedFields({ before, after }: Pick<AuditEntry, 'before' | 'after'>): ChangedField[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .sort()
    .map((name) => ({ name, before: valueText(before[name]), after: valueText(after[name]) }))
    .filter(({ before, after }) => before !== after)
}

function valueText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
