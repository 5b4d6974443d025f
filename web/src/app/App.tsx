import { RouterProvider } from 'react-router'
import type { RefreshOutcome } from '@/api/refresh'
import type { AppStore } from '@/store/store'
import { PrefetchContext } from '@/ui/PageLink'
import { Providers } from './Providers'
import type { Router } from './router'
import { SessionGate } from './SessionGate'

interface Props {
  store: AppStore
  router: Router
  prefetch: (path: string) => void
  /** The session check that has been started already. */
  session: Promise<RefreshOutcome>
}

export function App({ store, router, prefetch, session }: Props) {
  return (
    <Providers store={store}>
      <PrefetchContext value={prefetch}>
        <SessionGate first={session}>
          <RouterProvider router={router} />
        </SessionGate>
      </PrefetchContext>
    </Providers>
  )
}
