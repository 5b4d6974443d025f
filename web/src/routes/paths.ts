import { config } from '@/config'

/** How many records a page of a leaderboard has, which decides on what page a rank is. */
export const LEADERBOARD_PAGE_SIZE = 10

// An id comes from an address, and may be anything.
const segment = encodeURIComponent
const query = (params: Record<string, string>) => `?${new URLSearchParams(params)}`

/** The links to the site's pages. pages.ts has the patterns that match them. */
export const paths = {
  home: '/',
  mapSearch: '/map-search',
  /** All maps, the newest first: an order in the address keeps the last search from being restored. */
  allMaps: '/map-search?sortBy=createdAt&sortDir=desc',
  /** Maps that have no replay yet. */
  listedMaps: '/map-search/listed',
  mapsNamed: (name: string) => `/map-search${query({ name })}`,
  mapsBy: (author: string) => `/map-search${query({ author })}`,
  mapsTagged: (tag: string) => `/map-search${query({ tags: tag })}`,
  playerSearch: '/player-search',
  playersNamed: (name: string) => `/player-search${query({ name })}`,
  rankings: '/rankings',
  rankingOfMonth: '/rankings?period=month',
  /** The rows of the ranking by points around that of a player. */
  rankingAround: (playerId: string) => `/rankings${query({ around: playerId })}`,
  /** Explains the formula of points. */
  formula: '/rankings/formula',
  player: (playerId: string) => `/player/${segment(playerId)}`,
  playerTab: (playerId: string, tab: string) => `/player/${segment(playerId)}${query({ tab })}`,
  /** Two players on the maps that both have finished. */
  compare: (playerId: string, opponentId: string) => `/compare/${segment(playerId)}/${segment(opponentId)}`,
  leaderboard: (mapId: string) => `/leaderboard/${segment(mapId)}`,
  /** The rows around that of the visitor who is logged in. */
  leaderboardAroundMe: (mapId: string) => `/leaderboard/${segment(mapId)}?around=me`,
  /** The rows of the players whom the visitor follows, and their own. */
  leaderboardOfFollowed: (mapId: string) => `/leaderboard/${segment(mapId)}?following=true`,
  /** The page of a leaderboard that shows a rank, with the record highlighted. */
  leaderboardAt: (mapId: string, recordId: string, rank: number) => {
    const page = Math.ceil(rank / LEADERBOARD_PAGE_SIZE)
    return `/leaderboard/${segment(mapId)}${query({ ...(page > 1 && { page: String(page) }), record: recordId })}`
  },
  record: (recordId: string) => `/record/${segment(recordId)}`,
  mapSubmit: '/map-submit',
  recordSubmit: '/replay-submit',
  recordSubmitFor: (mapId: string) => `/replay-submit/${segment(mapId)}`,
  inbox: '/inbox',
  following: '/inbox/following',
  inboxSettings: '/inbox/settings',
  settings: '/settings',
  notificationSettings: '/settings/notifications',
  tokens: '/settings/tokens',
  webhooks: '/settings/webhooks',
  webhook: (webhookId: string) => `/settings/webhooks/${segment(webhookId)}`,
  ownData: '/settings/data',
  desk: '/desk',
  deskCase: (caseId: string) => `/desk/cases/${segment(caseId)}`,
  deskAppeals: '/desk/appeals',
  deskAudit: '/desk/audit',
  auditOf: (subjectId: string) => `/desk/audit${query({ subject: subjectId })}`,
  decisions: '/decisions',
  decision: (decisionId: string) => `/decisions/${segment(decisionId)}`,
  moderation: '/moderation',
  programs: '/programs',
  login: `/login-with-${config.game.slug}`,
  mapSeries: '/mapSeries',
  events: '/events',
  privacy: '/privacy',
}
