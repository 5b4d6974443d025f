import type { CaseSummary, ListCasesApiArg } from '@/api/desk'
import { oneOf, page, setOf, type ViewOf } from '@/ui/address'

const PAGE_SIZE = 25

/** What the address of the queue says. */
export const casesAddress = {
  kind: oneOf(['record', 'map', 'player'], ''),
  state: oneOf(['open', 'closed'], 'open'),
  assigned: oneOf(['mine', 'free', 'claimed'], ''),
  sort: oneOf(['priority', 'age'], 'priority'),
  page,
}
export type CasesView = ViewOf<typeof casesAddress>

/** The request for what an address says. Nobody has claimed a closed case. */
export const casesRequest = ({ assigned, ...view }: CasesView): ListCasesApiArg => ({
  ...setOf(view),
  ...(view.state === 'open' && setOf({ assigned })),
  limit: PAGE_SIZE,
})

/** Returns the case that follows one in the queue and that nobody else has claimed; that after the last is the first. */
export function nextCase(cases: readonly CaseSummary[], currentId: string | undefined): CaseSummary | undefined {
  const current = cases.findIndex(({ _id }) => _id === currentId)
  const inOrder = [...cases.slice(current + 1), ...cases.slice(0, Math.max(current, 0))]
  return inOrder.find(({ state, claim }) => state === 'open' && (!claim || claim.mine))
}
