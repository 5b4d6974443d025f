import type { ComponentType } from 'react'
import type { Loaders } from './loaders'
import { paths } from './paths'

interface Page {
  /** With the names of its parameters. */
  path: string
  /** Fetches the page's code, which is a chunk of its own. */
  load: () => Promise<{ default: ComponentType }>
  loader?: keyof Loaders
}

/** The pages of the site, which differ in the first segment of their paths. */
export const pages: Page[] = [
  { path: paths.home, load: () => import('./HomePage'), loader: 'home' },
  { path: paths.mapSearch, load: () => import('./MapSearchPage'), loader: 'mapSearch' },
  { path: paths.playerSearch, load: () => import('./PlayerSearchPage'), loader: 'playerSearch' },
  { path: paths.player(':playerId'), load: () => import('./PlayerPage'), loader: 'player' },
  { path: paths.leaderboard(':mapId'), load: () => import('./LeaderboardPage'), loader: 'leaderboard' },
  { path: paths.record(':recordId'), load: () => import('./RecordPage'), loader: 'record' },
  { path: paths.mapSubmit, load: () => import('./MapSubmitPage') },
  { path: paths.recordSubmitFor(':mapId?'), load: () => import('./RecordSubmitPage'), loader: 'recordSubmit' },
  { path: paths.login, load: () => import('./LoginPage') },
  { path: `${paths.mapSeries}/*`, load: () => import('./ComingSoonPage') },
  { path: `${paths.events}/*`, load: () => import('./ComingSoonPage') },
  { path: paths.privacy, load: () => import('./PrivacyPage') },
  { path: '*', load: () => import('./NotFoundPage') },
]

/** Fetches the code of the page at a path before the router is loaded. */
export function preloadPage(path: string): void {
  const [, segment] = path.split('/')
  // The router reports a failure.
  pages
    .find((page) => page.path.split('/')[1] === segment)
    ?.load()
    .catch(() => undefined)
}
