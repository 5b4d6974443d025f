import { createBrowserRouter, matchRoutes, type RouteObject, type ShouldRevalidateFunctionArgs } from 'react-router'
import { createLoaders } from '@/routes/loaders'
import { paths } from '@/routes/paths'
import type { AppStore } from '@/store/store'
import { LoadingScreen } from '@/ui/LoadingScreen'
import { Layout } from './layout/Layout'
import { RouteError } from './RouteError'

// A loader runs when its page is opened. On the page, a change of the query is navigated at once, and its hooks ask.
const shouldRevalidate = ({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs) =>
  currentUrl.pathname !== nextUrl.pathname

/** The routes of the site. The code of each page is a chunk of its own, loaded beside its data. */
export function createRoutes(store: AppStore): RouteObject[] {
  const load = createLoaders(store)
  return [
    {
      path: paths.home,
      element: <Layout />,
      // It replaces the whole layout, including its landmark.
      errorElement: (
        <main>
          <RouteError />
        </main>
      ),
      hydrateFallbackElement: <LoadingScreen text="Loading..." />,
      children: [
        {
          errorElement: <RouteError />,
          children: [
            {
              index: true,
              loader: load.home,
              shouldRevalidate,
              lazy: { Component: async () => (await import('@/routes/HomePage')).HomePage },
            },
            {
              path: paths.mapSearch,
              loader: load.mapSearch,
              shouldRevalidate,
              lazy: { Component: async () => (await import('@/routes/MapSearchPage')).MapSearchPage },
            },
            {
              path: paths.playerSearch,
              loader: load.playerSearch,
              shouldRevalidate,
              lazy: { Component: async () => (await import('@/routes/PlayerSearchPage')).PlayerSearchPage },
            },
            {
              path: paths.player(':playerId'),
              loader: load.player,
              shouldRevalidate,
              lazy: { Component: async () => (await import('@/routes/PlayerPage')).PlayerPage },
            },
            {
              path: paths.leaderboard(':mapId'),
              loader: load.leaderboard,
              shouldRevalidate,
              lazy: { Component: async () => (await import('@/routes/LeaderboardPage')).LeaderboardPage },
            },
            {
              path: paths.mapSubmit,
              lazy: { Component: async () => (await import('@/routes/MapSubmitPage')).MapSubmitPage },
            },
            {
              path: paths.recordSubmitFor(':mapId?'),
              loader: load.recordSubmit,
              shouldRevalidate,
              lazy: { Component: async () => (await import('@/routes/RecordSubmitPage')).RecordSubmitPage },
            },
            {
              path: paths.login,
              lazy: { Component: async () => (await import('@/routes/LoginPage')).LoginPage },
            },
            {
              path: `${paths.mapSeries}/*`,
              lazy: { Component: async () => (await import('@/routes/MapSeriesPage')).MapSeriesPage },
            },
            {
              path: `${paths.events}/*`,
              lazy: { Component: async () => (await import('@/routes/EventsPage')).EventsPage },
            },
            {
              path: paths.privacy,
              lazy: { Component: async () => (await import('@/routes/PrivacyPage')).PrivacyPage },
            },
            {
              path: '*',
              lazy: { Component: async () => (await import('@/routes/NotFoundPage')).NotFoundPage },
            },
          ],
        },
      ],
    },
  ]
}

export const createRouter = (routes: RouteObject[]) => createBrowserRouter(routes)

/** Returns a function that fetches the code and the data of the page at a path. */
export function createPrefetch(routes: RouteObject[]): (path: string) => void {
  return (path) => {
    const url = new URL(path, location.origin)
    for (const { route, params } of matchRoutes(routes, url) ?? []) {
      const { lazy, loader } = route
      if (typeof lazy === 'object') void lazy.Component?.().catch(() => undefined)
      if (typeof loader === 'function') void loader({ params, request: new Request(url) } as never, {} as never)
    }
  }
}
