import { type ComponentProps, createContext, useContext } from 'react'
import { Link as RouterLink } from 'react-router'
import { Link } from './index'

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
