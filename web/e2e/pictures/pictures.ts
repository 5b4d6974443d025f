import { aWebhook } from '../../src/test/settingsFixtures'
import { deskCase, mapOf, playerOf, recordDetails, recordOf } from './fixtures'
import type { Scenario } from './mockApi'

const map = mapOf(0)._id
const board = `/leaderboard/${map}`

/** A page with what the mocked API answers to it. */
export interface Picture {
  name: string
  path: string
  scenario?: Scenario
  loggedIn?: boolean
}

/** The pages of which there are pictures. */
export const pictures: Picture[] = [
  { name: 'home', path: '/' },
  { name: 'home-failed', path: '/', scenario: 'failed' },
  { name: 'map-search', path: '/map-search?tags=city' },
  { name: 'map-search-empty', path: '/map-search?name=none', scenario: 'empty' },
  { name: 'leaderboard', path: `${board}?record=${recordOf(6)._id}`, loggedIn: true },
  { name: 'leaderboard-past-end', path: `${board}?page=99`, scenario: 'past-end' },
  { name: 'record', path: `/record/${recordDetails._id}` },
  { name: 'player-search', path: '/player-search' },
  { name: 'rankings', path: '/rankings', loggedIn: true },
  { name: 'formula', path: '/rankings/formula' },
  { name: 'player', path: `/player/${playerOf(0)._id}` },
  { name: 'compare', path: `/compare/${playerOf(0)._id}/${playerOf(5)._id}` },
  { name: 'inbox', path: '/inbox', loggedIn: true },
  { name: 'desk', path: '/desk', loggedIn: true },
  { name: 'desk-case', path: `/desk/cases/${deskCase._id}`, loggedIn: true },
  { name: 'settings', path: '/settings', loggedIn: true },
  { name: 'settings-notifications', path: '/settings/notifications', loggedIn: true },
  { name: 'settings-tokens', path: '/settings/tokens', loggedIn: true },
  { name: 'settings-webhooks', path: '/settings/webhooks', loggedIn: true },
  { name: 'settings-webhook', path: `/settings/webhooks/${aWebhook()._id}`, loggedIn: true },
  { name: 'settings-data', path: '/settings/data', loggedIn: true },
  { name: 'following', path: '/inbox/following', loggedIn: true },
  { name: 'events', path: '/events' },
  { name: 'record-submit', path: `/replay-submit/${map}`, loggedIn: true },
  { name: 'map-submit', path: '/map-submit', loggedIn: true },
]
