import { ArrowLeftIcon } from './icons'
import { PageLink } from './PageLink'
import { readStorage, writeStorage } from './storage'

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
