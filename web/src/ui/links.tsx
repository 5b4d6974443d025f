import type { ComponentProps, ReactNode } from 'react'
import { Link as RouterLink } from 'react-router'
import { Button, Link } from './basics'
import { ArrowLeftIcon } from './icons'
import { readStorage, writeStorage } from './storage'

type PageLinkProps = Omit<ComponentProps<typeof Link>, 'href' | 'asChild'> & { to: string }

/** A link in text or a table to a page of the site. */
export function PageLink({ to, children, ...props }: PageLinkProps) {
  return (
    <Link asChild colorPalette="brand" color="colorPalette.fg" {...props}>
      <RouterLink to={to}>{children}</RouterLink>
    </Link>
  )
}

interface ButtonLinkProps extends ComponentProps<typeof Button> {
  to: string
  /** The page stays where it was scrolled to. */
  preventScrollReset?: boolean
  /** The state of the navigation. */
  state?: unknown
}

/** A button that leads to a page of the site. */
export function ButtonLink({ to, preventScrollReset = false, state, children, ...props }: ButtonLinkProps) {
  return (
    <Button asChild {...props}>
      <RouterLink to={to} state={state} preventScrollReset={preventScrollReset}>
        {children}
      </RouterLink>
    </Button>
  )
}

interface ExternalProps extends ComponentProps<typeof Button> {
  href: string | undefined
}

/** A button that leads to another site, in a tab of its own. */
export function ExternalButtonLink({ href, children, ...props }: ExternalProps) {
  return (
    <Button asChild {...props}>
      <a href={href} target="_blank" rel="noreferrer">
        {children}
      </a>
    </Button>
  )
}

const key = (path: string) => `capzone-last-query:${path}`

/** Keeps the query of a list in this tab, so that a BackLink to it restores its filters and page. */
export function rememberQuery(path: string, query: string): void {
  writeStorage('session', key(path), query || null)
}

/** Returns the query of a list as it was last seen in this tab; '' without one. */
export const rememberedQuery = (path: string): string => readStorage('session', key(path)) ?? ''

interface BackLinkProps {
  to: string
  /** It stands on a picture. */
  onPicture?: true
  children: ReactNode
}

/** Leads back to a list as it was last seen in this tab. */
export function BackLink({ to, onPicture, children }: BackLinkProps) {
  const place = onPicture ? ({ px: '3', py: '1', rounded: 'full', bg: 'bg.panel/90' } as const) : { mb: '4' }
  return (
    <PageLink to={to + rememberedQuery(to)} textStyle="sm" fontWeight="medium" {...place}>
      <ArrowLeftIcon size={4} /> <span>{children}</span>
    </PageLink>
  )
}
