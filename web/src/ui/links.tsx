import { type ComponentProps, createContext, useContext } from 'react'
import { Link as RouterLink } from 'react-router'
import { ArrowLeftIcon } from './icons'
import { Button, Link } from './index'
import { readStorage, writeStorage } from './storage'

/** Fetches the code and the data of a page before it is opened. The application provides it. */
export const PrefetchContext = createContext<(path: string) => void>(() => {})

/** Returns the handlers of a link that fetch its page when a pointer or the focus comes to it. */
export function usePrefetch(to: string) {
  const prefetch = useContext(PrefetchContext)
  return { onPointerEnter: () => prefetch(to), onFocus: () => prefetch(to) }
}

type RouteLinkProps = Omit<ComponentProps<typeof RouterLink>, 'to'> & { to: string }

/** A router link that prefetches its page when a pointer or the focus comes to it. */
export function RouteLink({ to, onPointerEnter, onFocus, ...props }: RouteLinkProps) {
  const prefetch = usePrefetch(to)
  return (
    <RouterLink
      to={to}
      onPointerEnter={(event) => {
        prefetch.onPointerEnter()
        onPointerEnter?.(event)
      }}
      onFocus={(event) => {
        prefetch.onFocus()
        onFocus?.(event)
      }}
      {...props}
    />
  )
}

type PageLinkProps = Omit<ComponentProps<typeof Link>, 'href' | 'asChild'> & { to: string }

/** A link in text or a table to a page of the site. */
export function PageLink({ to, children, ...props }: PageLinkProps) {
  return (
    <Link asChild colorPalette="brand" color="colorPalette.fg" {...props}>
      <RouteLink to={to}>{children}</RouteLink>
    </Link>
  )
}

/** A button that leads to a page of the site. */
export function ButtonLink({ to, children, ...props }: ComponentProps<typeof Button> & { to: string }) {
  return (
    <Button asChild {...props}>
      <RouteLink to={to}>{children}</RouteLink>
    </Button>
  )
}

const key = (path: string) => `capzone-last-query:${path}`

/** Keeps the query of a list in this tab, so that a BackLink to it restores its filters and page. */
export function rememberQuery(path: string, query: string): void {
  writeStorage('session', key(path), query || null)
}

/** Leads back to a list as it was last seen in this tab. */
export function BackLink({ to, children }: { to: string; children: string }) {
  return (
    <PageLink to={to + (readStorage('session', key(to)) ?? '')} textStyle="sm" fontWeight="medium" mb="4">
      <ArrowLeftIcon size={4} /> {children}
    </PageLink>
  )
}
