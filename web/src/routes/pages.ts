import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { ComponentType } from 'react'
import { loadRest } from '@/locales'
import type { Action } from '@/session/permissions'
import type { Loaders } from './loaders'
import { paths } from './paths'

/** Who may open a page: players who are logged in, or those who may take an action of docs/permissions.md. */
export interface Guard {
  action: Action | 'login'
  /** The warning on the login page, to which visitors are sent. */
  warning: MessageDescriptor
}

/** A page, or a part of the site whose pages are in the Outlet of its component. */
export interface Page {
  /** From the root, with the names of its parameters. */
  path: string
  /** Fetches the page's code, which is a chunk of its own. */
  load?: () => Promise<{ default: ComponentType }>
  loader?: keyof Loaders
  /** It applies to the pages inside, too. */
  guard?: Guard
  children?: Page[]
}

const inboxGuard: Guard = { action: 'login', warning: msg`You must be logged in to open your inbox.` }
const deskGuard: Guard = { action: 'read desk', warning: msg`You must be logged in to open this page.` }
const decisionGuard: Guard = { action: 'login', warning: deskGuard.warning }

/** Returns what fetches a page whose sentences are not among those of the first pages. */
const withRest = (load: Page['load'] & object) => async () => (await Promise.all([load(), loadRest()]))[0]

/** The pages of the site. The first one that matches a path is shown. */
export const pages: Page[] = [
  { path: paths.home, load: () => import('./HomePage'), loader: 'home' },
  { path: paths.mapSearch, load: () => import('./MapSearchPage'), loader: 'mapSearch' },
  { path: paths.listedMaps, load: () => import('./ListedMapsPage') },
  { path: paths.playerSearch, load: () => import('./PlayerSearchPage'), loader: 'playerSearch' },
  { path: paths.rankings, load: () => import('./RankingsPage') },
  { path: paths.formula, load: () => import('./FormulaPage') },
  { path: '/player/:playerId', load: () => import('./PlayerPage'), loader: 'player' },
  { path: '/compare/:playerId/:opponentId', load: () => import('./ComparePage'), loader: 'compare' },
  { path: '/leaderboard/:mapId', load: () => import('./LeaderboardPage'), loader: 'leaderboard' },
  { path: '/record/:recordId', load: () => import('./RecordPage'), loader: 'record' },
  {
    path: paths.mapSubmit,
    load: withRest(() => import('./MapSubmitPage')),
    guard: { action: 'login', warning: msg`You must be logged in to validate maps.` },
  },
  {
    path: '/replay-submit/:mapId?',
    load: withRest(() => import('./RecordSubmitPage')),
    loader: 'recordSubmit',
    guard: { action: 'login', warning: msg`You must be logged in to submit records.` },
  },
  { path: paths.inbox, load: withRest(() => import('./InboxPage')), guard: inboxGuard },
  { path: paths.following, load: withRest(() => import('./FollowingPage')), guard: inboxGuard },
  { path: paths.inboxSettings, load: withRest(() => import('./InboxSettingsPage')) },
  {
    path: paths.settings,
    load: withRest(() => import('./SettingsPage')),
    guard: { action: 'login', warning: msg`You must be logged in to change your settings.` },
    children: [
      { path: paths.settings, load: withRest(() => import('./AccountPage')) },
      { path: paths.notificationSettings, load: withRest(() => import('./NotificationSettingsPage')) },
      { path: paths.tokens, load: withRest(() => import('./TokensPage')) },
      { path: paths.webhooks, load: withRest(() => import('./WebhooksPage')) },
      { path: '/settings/webhooks/:webhookId', load: withRest(() => import('./WebhookPage')) },
      { path: paths.ownData, load: withRest(() => import('./OwnDataPage')) },
    ],
  },
  { path: paths.desk, load: withRest(() => import('./DeskPage')), guard: deskGuard },
  { path: '/desk/cases/:caseId', load: withRest(() => import('./DeskCasePage')), guard: deskGuard },
  { path: paths.deskAppeals, load: withRest(() => import('./DeskAppealsPage')), guard: deskGuard },
  { path: paths.deskAudit, load: withRest(() => import('./DeskAuditPage')), guard: deskGuard },
  { path: paths.decisions, load: withRest(() => import('./DecisionsPage')), guard: decisionGuard },
  { path: '/decisions/:decisionId', load: withRest(() => import('./DecisionPage')), guard: decisionGuard },
  { path: paths.moderation, load: withRest(() => import('./ModerationPage')) },
  { path: paths.programs, load: withRest(() => import('./ProgramsPage')) },
  { path: paths.login, load: () => import('./LoginPage') },
  { path: `${paths.mapSeries}/*`, load: () => import('./ComingSoonPage') },
  { path: `${paths.events}/*`, load: () => import('./ComingSoonPage') },
  { path: paths.privacy, load: withRest(() => import('./PrivacyPage')) },
  { path: '*', load: () => import('./NotFoundPage') },
]

/** Fetches the code of the page at a path, and of the one around it, before the router is loaded, which decides. */
export function preloadPage(path: string, tree: readonly Page[] = pages): void {
  const branches = tree.flatMap((page) => page.children?.map((child) => [page, child]) ?? [[page]])
  const branch = branches.find(([page, inside = page]) => inside && isMatch(inside.path, path))
  for (const page of branch ?? []) void load(page)
}

const segmentsOf = (path: string) => path.toLowerCase().split('/').filter(Boolean)

// Comparing segments costs a fraction of what the first use of thirty regular expressions does.
function isMatch(pattern: string, path: string): boolean {
  const segments = segmentsOf(path)
  const names = segmentsOf(pattern)
  const isNamed = (name: string, i: number) =>
    name === '*' || name.endsWith('?') || (segments[i] !== undefined && (name.startsWith(':') || name === segments[i]))
  return names.every(isNamed) && (names.at(-1) === '*' || segments.length <= names.length)
}

/** Fetches a page's code. The router reports a failure. */
export const load = (page: Page): Promise<unknown> | undefined => page.load?.().catch(() => undefined)
