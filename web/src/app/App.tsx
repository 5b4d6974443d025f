import { useState } from 'react'
import { RouterProvider } from 'react-router'
import { Providers } from './Providers'
import { makeRouter } from './router'
import { SessionGate } from './SessionGate'
import type { AppStore } from './store'

export function App({ store }: { store: AppStore }) {
  return (
    <Providers store={store}>
      <SessionGate>
        <Pages />
      </SessionGate>
    </Providers>
  )
}

// The router begins only after the session check: it would load pages at once.
function Pages() {
  const [router] = useState(makeRouter)
  return <RouterProvider router={router} />
}
