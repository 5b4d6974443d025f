import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter, type DataRouter, RouterProvider } from 'react-router'
import { pagePosition } from '@/api/pageData'
import type { RefreshOutcome } from '@/api/refresh'
import { loadRest } from '@/locales'
import type { AppStore } from '@/store/store'
import { nextTask } from '@/ui/nextTask'
import { Providers } from './Providers'
import { createRoutes, forgetPageDataOnNavigation, prefetchLinks } from './router'
import { checkSession, SessionGate } from './SessionGate'

/** Starts the router, which runs the page's loader, and renders the site behind the session check. */
export async function start(store: AppStore, session: Promise<RefreshOutcome>) {
  const root = document.getElementById('root')
  if (!root) throw new Error('The page has no #root.')
  const position = pagePosition()
  await nextTask()
  const routes = createRoutes(store)
  const router = createBrowserRouter(routes)
  forgetPageDataOnNavigation(router)
  // A router that changes while it is rendered at first would be rendered again at once.
  const ready = initialized(router).then(() => session)
  prefetchLinks(routes)
  // Until then the document shows that the session is checked.
  const first = await checkSession(store, ready)
  await nextTask()
  // Rendering in a transition gives way to the browser every few milliseconds.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <Providers store={store}>
          <SessionGate first={first}>
            <RouterProvider router={router} />
          </SessionGate>
        </Providers>
      </StrictMode>,
    ),
  )
  afterFirstPage(async () => {
    void loadRest().catch(() => undefined)
    const { startLiveUpdates } = await import('./liveUpdates')
    startLiveUpdates(store, position)
  })
}

/** Resolves when the first page's code is there, or has failed. */
const initialized = (router: DataRouter) =>
  new Promise<void>((resolve) => {
    if (router.state.initialized) resolve()
    else {
      const stop = router.subscribe(({ initialized }) => {
        if (!initialized) return
        stop()
        resolve()
      })
    }
  })

const LIVE_AFTER_MS = 2000

/** Runs what no page waits for some time after the first page. The site works without it. */
function afterFirstPage(work: () => Promise<void>): void {
  const later = () => setTimeout(() => void work().catch(() => undefined), LIVE_AFTER_MS)
  if (document.readyState === 'complete') later()
  else addEventListener('load', later, { once: true })
}
