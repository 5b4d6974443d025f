import type { AuditEntry, ListAuditApiArg } from '@/api/desk'
import { before, setOf, text, type ViewOf } from '@/ui/address'
import { dayAfter, dayOf } from './days'

const PAGE_SIZE = 50

/** The filters of the audit log, with days as their fields have them; the last is included. */
export const auditAddress = { actor: text(), subject: text(), action: text(), from: text(), to: text(), before }
export type AuditView = ViewOf<typeof auditAddress>

/** The request for what an address says. A day that is none is left out. */
export function auditRequest({ from, to, ...view }: AuditView): ListAuditApiArg {
  const start = dayOf(from)
  const end = dayOf(to)
  return {
    ...setOf(view),
    ...(start && { from: start.toISOString() }),
    ...(end && { to: dayAfter(end).toISOString() }),
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
