import { config } from '@/config'

/** How many records a page of a leaderboard has, which decides on what page a rank is. */
export const LEADERBOARD_PAGE_SIZE = 10

/** The paths of the site's pages, each once; the router takes them with the names of their parameters. */
export const paths = {
  home: '/',
  mapSearch: '/map-search',
  /** All maps, the newest first: an order in the address keeps the last search from being restored. */
  allMaps: '/map-search?sortBy=createdAt&sortDir=desc',
  mapsNamed: (name: string) => `/map-search?${new URLSearchParams({ name })}`,
  mapsBy: (author: string) => `/map-search?${new URLSearchParams({ author })}`,
  mapsTagged: (tag: string) => `/map-search?${new URLSearchParams({ tags: tag })}`,
  playerSearch: '/player-search',
  playersNamed: (name: string) => `/player-search?${new URLSearchParams({ name })}`,
  player: (playerId: string) => `/player/${playerId}`,
  leaderboard: (mapId: string) => `/leaderboard/${mapId}`,
  /** The page of a leaderboard that shows a rank, with the record highlighted. */
  leaderboardAt: (mapId: string, recordId: string, rank: number) => {
    const page = Math.ceil(rank / LEADERBOARD_PAGE_SIZE)
    return `/leaderboard/${mapId}?${new URLSearchParams({ ...(page > 1 && { page: String(page) }), record: recordId })}`
  },
  record: (recordId: string) => `/record/${recordId}`,
  mapSubmit: '/map-submit',
  recordSubmit: '/replay-submit',
  recordSubmitFor: (mapId: string) => `/replay-submit/${mapId}`,
  login: `/login-with-${config.game.slug}`,
  mapSeries: '/mapSeries',
  events: '/events',
  privacy: '/privacy',
}
