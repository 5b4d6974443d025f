import { t } from '@lingui/core/macro'
import { useNavigate } from 'react-router'
import { useLazyListCasesQuery } from '@/api/desk'
import { errorText } from '@/api/error'
import { paths } from '@/routes/paths'
import { rememberedQuery } from '@/ui/links'
import { toaster } from '@/ui/toaster'
import { casesView, nextCase } from './casesView'

/** Returns a function that opens the case after this one, in the queue as it was last seen in this tab. */
export function useNextCase(currentId?: string): () => Promise<void> {
  const navigate = useNavigate()
  const [listCases] = useLazyListCasesQuery()
  return async () => {
    const { data, error } = await listCases(casesView(new URLSearchParams(rememberedQuery(paths.desk))))
    const next = data && nextCase(data.data, currentId)
    if (next) navigate(paths.deskCase(next._id))
    else {
      const title = data ? t`No other case of this list waits for you.` : errorText(error, t`Failed to load the cases`)
      toaster.warning({ id: 'next case', title })
    }
  }
}
