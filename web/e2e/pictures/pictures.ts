import { aWebhook } from '../../src/test/settingsFixtures'
import type { Mode } from '../pages'
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
  /** The colour modes of which there is a picture, dark where none is named. */
  modes?: Mode[]
}

/** The pages of which there are pictures. */
export const pictures: Picture[] = [
  { name: 'home', path: '/', modes: ['dark', 'light'] },
  { name: 'home-failed', path: '/', scenario: 'failed', modes: ['light'] },
  { name: 'map-search', path: '/map-search?tags=city' },
  { name: 'map-search-empty', path: '/map-search?name=none', scenario: 'empty', modes: ['light'] },
  { name: 'leaderboard', path: `${board}?record=${recordOf(6)._id}`, loggedIn: true, modes: ['dark', 'light'] },
  { name: 'leaderboard-past-end', path: `${board}?page=99`, scenario: 'past-end', modes: ['light'] },
  { name: 'record', path: `/record/${recordDetails._id}` },
  { name: 'player-search', path: '/player-search', modes: ['light'] },
  { name: 'rankings', path: '/rankings', loggedIn: true },
  { name: 'formula', path: '/rankings/formula', modes: ['light'] },
  { name: 'player', path: `/player/${playerOf(0)._id}` },
  { name: 'player-points', path: `/player/${playerOf(0)._id}?tab=points` },
  { name: 'player-statistics', path: `/player/${playerOf(0)._id}?tab=statistics`, modes: ['light'] },
  { name: 'compare', path: `/compare/${playerOf(0)._id}/${playerOf(5)._id}`, modes: ['light'] },
  { name: 'inbox', path: '/inbox', loggedIn: true },
  { name: 'desk', path: '/desk', loggedIn: true, modes: ['light'] },
  { name: 'desk-case', path: `/desk/cases/${deskCase._id}`, loggedIn: true },
  { name: 'settings', path: '/settings', loggedIn: true, modes: ['light'] },
  { name: 'settings-notifications', path: '/settings/notifications', loggedIn: true },
  { name: 'settings-tokens', path: '/settings/tokens', loggedIn: true },
  { name: 'settings-webhooks', path: '/settings/webhooks', loggedIn: true, modes: ['light'] },
  { name: 'settings-webhook', path: `/settings/webhooks/${aWebhook()._id}`, loggedIn: true },
  { name: 'settings-data', path: '/settings/data', loggedIn: true, modes: ['light'] },
  { name: 'following', path: '/inbox/following', loggedIn: true },
  { name: 'events', path: '/events', modes: ['light'] },
  { name: 'not-found', path: '/no/such/page', modes: ['light'] },
  { name: 'record-submit', path: `/replay-submit/${map}`, loggedIn: true },
  { name: 'map-submit', path: '/map-submit', loggedIn: true, modes: ['light'] },
]
