import type { CaseSummary, ListCasesApiArg } from '@/api/desk'
import { pageOf } from '@/ui/lists'

const PAGE_SIZE = 25

const KINDS = ['record', 'map', 'player'] as const
const ASSIGNED = ['mine', 'free', 'claimed'] as const

/** What the address of the queue says; the rest has its default. */
export function casesView(address: URLSearchParams): ListCasesApiArg {
  const kind = KINDS.find((name) => name === address.get('kind'))
  const assigned = ASSIGNED.find((name) => name === address.get('assigned'))
  const closed = address.get('state') === 'closed'
  return {
    ...(kind && { kind }),
    ...(closed ? { state: 'closed' as const } : assigned && { assigned }),
    sort: address.get('sort') === 'age' ? 'age' : 'priority',
    page: pageOf(address),
    limit: PAGE_SIZE,
  }
}

/** Returns the address that asks for cases. */
export const casesAddress = ({ kind, state, assigned, sort, page = 1 }: ListCasesApiArg): Record<string, string> => ({
  ...(kind && { kind }),
  ...(state === 'closed' && { state }),
  ...(assigned && state !== 'closed' && { assigned }),
  ...(sort === 'age' && { sort }),
  ...(page > 1 && { page: String(page) }),
})

/** Returns the case that follows one in the queue and that nobody else has claimed; that after the last is the first. */
export function nextCase(cases: readonly CaseSummary[], currentId: string | undefined): CaseSummary | undefined {
  const current = cases.findIndex(({ _id }) => _id === currentId)
  const inOrder = [...cases.slice(current + 1), ...cases.slice(0, Math.max(current, 0))]
  return inOrder.find(({ state, claim }) => state === 'open' && (!claim || claim.mine))
}
