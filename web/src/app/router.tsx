import type { ComponentType } from 'react'
import {
  createBrowserRouter,
  type LoaderFunction,
  matchRoutes,
  type RouteObject,
  type ShouldRevalidateFunctionArgs,
} from 'react-router'
import { createLoaders } from '@/routes/loaders'
import { paths } from '@/routes/paths'
import type { AppStore } from '@/store/store'
import { LoadingScreen } from '@/ui/LoadingScreen'
import { Layout } from './layout/Layout'
import { RouteError } from './RouteError'

/** Returns a page with its loader, which runs when the page is opened and not when only the query changes. */
function page(load: () => Promise<{ default: ComponentType }>, loader?: LoaderFunction) {
  return {
    lazy: { Component: async () => (await load()).default },
    ...(loader && { loader }),
    shouldRevalidate: ({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs) =>
      currentUrl.pathname !== nextUrl.pathname,
  }
}

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
            { index: true, ...page(() => import('@/routes/HomePage'), load.home) },
            { path: paths.mapSearch, ...page(() => import('@/routes/MapSearchPage'), load.mapSearch) },
            { path: paths.playerSearch, ...page(() => import('@/routes/PlayerSearchPage'), load.playerSearch) },
            { path: paths.player(':playerId'), ...page(() => import('@/routes/PlayerPage'), load.player) },
            { path: paths.leaderboard(':mapId'), ...page(() => import('@/routes/LeaderboardPage'), load.leaderboard) },
            { path: paths.mapSubmit, ...page(() => import('@/routes/MapSubmitPage')) },
            {
              path: paths.recordSubmitFor(':mapId?'),
              ...page(() => import('@/routes/RecordSubmitPage'), load.recordSubmit),
            },
            { path: paths.login, ...page(() => import('@/routes/LoginPage')) },
            { path: `${paths.mapSeries}/*`, ...page(() => import('@/routes/MapSeriesPage')) },
            { path: `${paths.events}/*`, ...page(() => import('@/routes/EventsPage')) },
            { path: paths.privacy, ...page(() => import('@/routes/PrivacyPage')) },
            { path: '*', ...page(() => import('@/routes/NotFoundPage')) },
          ],
        },
      ],
    },
  ]
}

export const createRouter = (routes: RouteObject[]) => createBrowserRouter(routes)

export type Router = ReturnType<typeof createRouter>

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
