import { t } from '@lingui/core/macro'
import { useNavigate } from 'react-router'
import { deskApi } from '@/api/desk'
import { errorText } from '@/api/error'
import { paths } from '@/routes/paths'
import { readAddress } from '@/ui/address'
import { rememberedQuery } from '@/ui/links'
import { range } from '@/ui/lists'
import { movedOn } from '@/ui/movedOn'
import { toaster } from '@/ui/toaster'
import { casesAddress, casesRequest, nextCase } from './caseQueries'

/**
 * Returns a function that opens the case after this one on the page of the queue that was last seen in this tab. Where no
 * case of that page waits, the first one of the other pages is opened. None is where the moderator does something else first.
 */
export function useNextCase(currentId?: string): () => Promise<void> {
  const navigate = useNavigate()
  const [listCases] = deskApi.endpoints.listCases.useLazyQuery()
  return async () => {
    const elsewhere = movedOn()
    const view = readAddress(casesAddress, new URLSearchParams(rememberedQuery(paths.desk)))
    const { data, error } = await listCases(casesRequest(view))
    let failure = error
    let next = data && nextCase(data.data, currentId)
    for (const page of range(data?.pagination.pages ?? 0).map((i) => i + 1)) {
      if (next || failure) break
      if (page === view.page) continue
      const other = await listCases(casesRequest({ ...view, page }))
      failure = other.error
      next = other.data && nextCase(other.data.data, currentId)
    }
    if (elsewhere.aborted) return
    if (next) navigate(paths.deskCase(next._id))
    else {
      const title = failure
        ? errorText(failure, t`Failed to load the cases`)
        : t`No other case in this list is waiting for you.`
      toaster.warning({ id: 'next case', title })
    }
  }
}
