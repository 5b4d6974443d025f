import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import type { RefreshOutcome } from '@/api/refresh'
import type { AppStore } from '@/store/store'
import { App } from './App'
import { createPrefetch, createRouter, createRoutes } from './router'

// Lets the browser paint and handle input.
const nextTask = () => new Promise((resolve) => setTimeout(resolve))

/** Starts the router, which runs the page's loader, and renders the site. */
export async function start(store: AppStore, session: Promise<RefreshOutcome>) {
  const root = document.getElementById('root')
  if (!root) throw new Error('The page has no #root.')
  await nextTask()
  const routes = createRoutes(store)
  const router = createRouter(routes)
  await nextTask()
  // Rendering in a transition gives way to the browser every few milliseconds.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <App store={store} router={router} prefetch={createPrefetch(routes)} session={session} />
      </StrictMode>,
    ),
  )
}
