import { useState } from 'react'
import { RouterProvider } from 'react-router'
import type { RefreshOutcome } from '@/api/refresh'
import type { AppStore } from '@/store/store'
import { PrefetchContext } from '@/ui/PageLink'
import { Providers } from './Providers'
import { createPrefetch, createRouter, createRoutes } from './router'
import { SessionGate } from './SessionGate'

interface Props {
  store: AppStore
  /** The session check that has been started already. */
  session: Promise<RefreshOutcome>
}

export function App({ store, session }: Props) {
  // The router runs the page's loader when it is created, while the session is still being asked for.
  const [{ router, prefetch }] = useState(() => {
    const routes = createRoutes(store)
    return { router: createRouter(routes), prefetch: createPrefetch(routes) }
  })
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
