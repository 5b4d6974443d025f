import { matchRoutes, type RouteObject } from 'react-router'
import { createLoaders } from '@/routes/loaders'
import { pages } from '@/routes/pages'
import { paths } from '@/routes/paths'
import type { AppStore } from '@/store/store'
import { LoadingScreen } from '@/ui/LoadingScreen'
import { Layout } from './layout/Layout'
import { RouteError } from './RouteError'

/** Creates the routes of the site. A page's code is loaded beside its data. */
export function createRoutes(store: AppStore): RouteObject[] {
  const loaders = createLoaders(store)
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
          children: pages.map(({ path, load, loader }) => ({
            path,
            lazy: { Component: async () => (await load()).default },
            ...(loader && { loader: loaders[loader] }),
            // The loader runs when the page is opened and not when only the query changes.
            shouldRevalidate: ({ currentUrl, nextUrl }) => currentUrl.pathname !== nextUrl.pathname,
          })),
        },
      ],
    },
  ]
}

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
