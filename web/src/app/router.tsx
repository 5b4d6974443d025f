import { t } from '@lingui/core/macro'
import { useLingui } from '@lingui/react'
import { type DataRouter, matchRoutes, Outlet, type RouteObject } from 'react-router'
import { forgetPageData } from '@/api/pageData'
import { createLoaders, type Loaders } from '@/routes/loaders'
import { load, type Page, pages } from '@/routes/pages'
import { paths } from '@/routes/paths'
import type { AppStore } from '@/store/store'
import { LoadingScreen } from '@/ui/messages'
import { Guarded } from './Guarded'
import { Layout } from './layout/Layout'
import { RouteError } from './RouteError'

/** Creates the routes of the site. A page's code is loaded beside its data. */
export function createRoutes(store: AppStore, tree: Page[] = pages): RouteObject[] {
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
      hydrateFallbackElement: <LoadingScreen text={t`Loading...`} />,
      children: [{ errorElement: <RouteError />, children: tree.map((page) => routeOf(page, loaders)) }],
    },
  ]
}

function routeOf(page: Page, loaders: Loaders): RouteObject {
  const { path, loader, children, load } = page
  return {
    path,
    handle: page,
    ...(load
      ? { lazy: { Component: async () => drawn(page, (await load()).default) } }
      : { Component: drawn(page, Outlet) }),
    ...(loader && { loader: loaders[loader] }),
    ...(children && { children: children.map((child) => routeOf(child, loaders)) }),
    // The loader runs when the page is opened and not when only the query changes.
    shouldRevalidate: ({ currentUrl, nextUrl }) => currentUrl.pathname !== nextUrl.pathname,
  }
}

// A page is drawn anew when the language changes: texts by t are read while it is drawn.
function drawn({ guard }: Page, Component: React.ComponentType): React.ComponentType {
  return function DrawnPage() {
    useLingui()
    if (!guard) return <Component />
    return (
      <Guarded guard={guard}>
        <Component />
      </Guarded>
    )
  }
}

/** Drops the data in the document when the first page is left. */
export function forgetPageDataOnNavigation(router: DataRouter): void {
  const { key } = router.state.location
  router.subscribe(({ location }) => {
    if (location.key !== key) forgetPageData()
  })
}

// A pointer that crosses a grid of links rests on none of them this long.
const PREFETCH_AFTER_MS = 80

/** Fetches the code and the data of a page when a pointer or the focus rests on a link to it, until the result is called. */
export function prefetchLinks(routes: RouteObject[]): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const onTarget = ({ target }: Event) => {
    clearTimeout(timer)
    const link = target instanceof Element && target.closest<HTMLAnchorElement>('a[href^="/"]:not([download])')
    if (link) timer = setTimeout(() => prefetch(routes, link), PREFETCH_AFTER_MS)
  }
  document.addEventListener('pointerover', onTarget)
  document.addEventListener('focusin', onTarget)
  return () => {
    clearTimeout(timer)
    document.removeEventListener('pointerover', onTarget)
    document.removeEventListener('focusin', onTarget)
  }
}

function prefetch(routes: RouteObject[], link: HTMLAnchorElement): void {
  const request = new Request(link.href)
  for (const { route, params } of matchRoutes(routes, link.pathname) ?? []) {
    const page: Page | undefined = route.handle
    if (!page) continue
    void load(page)
    if (typeof route.loader === 'function') {
      route.loader({ params, request, url: new URL(link.href), pattern: page.path, context: undefined })
    }
  }
}
