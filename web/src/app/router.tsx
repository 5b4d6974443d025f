import { matchPath, type RouteObject } from 'react-router'
import { createLoaders } from '@/routes/loaders'
import { pages } from '@/routes/pages'
import { paths } from '@/routes/paths'
import type { AppStore } from '@/store/store'
import { LoadingScreen } from '@/ui/messages'
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

/** Fetches the code and the data of a page when a pointer or the focus comes to a link to it. */
export function prefetchLinks(store: AppStore): void {
  const loaders = createLoaders(store)
  const prefetch = ({ target }: Event) => {
    const link = target instanceof Element && target.closest<HTMLAnchorElement>('a[href^="/"]:not([download])')
    if (!link) return
    for (const { path, load, loader } of pages) {
      const match = matchPath(path, link.pathname)
      if (!match) continue
      load().catch(() => undefined)
      if (loader) loaders[loader]({ params: match.params, request: new Request(link.href) })
      return
    }
  }
  document.addEventListener('pointerover', prefetch)
  document.addEventListener('focusin', prefetch)
}
