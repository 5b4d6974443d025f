import { useState } from 'react'
import { RouterProvider } from 'react-router'
import type { RefreshOutcome } from '@/shared/api/refresh'
import { Providers } from './Providers'
import { makeRouter } from './router'
import { SessionGate } from './SessionGate'
import type { AppStore } from './store'

interface Props {
  store: AppStore
  // The session check that is on its way already.
  session: Promise<RefreshOutcome>
}

export function App({ store, session }: Props) {
  // Made at once, so that the page's code comes while the session is being checked.
  const [router] = useState(makeRouter)
  return (
    <Providers store={store}>
      <SessionGate first={session}>
        <RouterProvider router={router} />
      </SessionGate>
    </Providers>
  )
}
