import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter } from 'react-router'
import { pagePosition } from '@/api/pageData'
import type { RefreshOutcome } from '@/api/refresh'
import { loadRest } from '@/locales'
import type { AppStore } from '@/store/store'
import { Providers } from './Providers'
import { createRoutes, forgetPageDataOnNavigation, prefetchLinks } from './router'
import { SessionGate } from './SessionGate'
import { SiteRouter } from './SiteRouter'

/** Starts the router, which runs the page's loader, and renders the site behind the session check. */
export async function start(store: AppStore, session: Promise<RefreshOutcome>) {
  const root = document.getElementById('root')
  if (!root) throw new Error('The page has no #root.')
  const position = pagePosition()
  await nextTask()
  const routes = createRoutes(store)
  const router = createBrowserRouter(routes)
  forgetPageDataOnNavigation(router)
  await nextTask()
  prefetchLinks(routes)
  // Rendering in a transition gives way to the browser every few milliseconds.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <Providers store={store}>
          <SessionGate first={session}>
            <SiteRouter router={router} />
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

const LIVE_AFTER_MS = 2000

/** Runs what no page waits for some time after the first page. The site works without it. */
function afterFirstPage(work: () => Promise<void>): void {
  const later = () => setTimeout(() => void work().catch(() => undefined), LIVE_AFTER_MS)
  if (document.readyState === 'complete') later()
  else addEventListener('load', later, { once: true })
}

/** Lets the browser paint and handle input before the next step. */
const nextTask = () => new Promise((resolve) => setTimeout(resolve))
