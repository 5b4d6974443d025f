import { useState } from 'react'
import { RouterProvider } from 'react-router'
import { Providers } from './Providers'
import { makeRouter } from './router'
import { SessionGate } from './SessionGate'
import type { AppStore } from './store'

export function App({ store }: { store: AppStore }) {
  // Made at once, so that the page's code comes while the session is being checked.
  const [router] = useState(makeRouter)
  return (
    <Providers store={store}>
      <SessionGate>
        <RouterProvider router={router} />
      </SessionGate>
    </Providers>
  )
}
