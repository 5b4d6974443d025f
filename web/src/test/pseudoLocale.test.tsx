import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { delay, HttpResponse, http } from 'msw'
import { matchPath } from 'react-router'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { NotificationKind, PointsChange } from '@/api'
import type { CaseFlag, CaseReport, DecisionKind, FlagKind, ReportReason } from '@/api/desk'
import type { WebhookFailure } from '@/api/settings'
import { config } from '@/config'
import { GAME_MODES } from '@/entities/map/modes'
import { DECIDED, FLAGS, REASONS } from '@/entities/moderation/texts'
import { KINDS } from '@/features/inbox/sentences'
import { FAILURES as FAILURE_TEXTS } from '@/features/settings/webhooks/texts'
import { activateLocale, LANGUAGES } from '@/locales'
import { type Page, pages } from '@/routes/pages'
import { paths } from '@/routes/paths'
import type { AppStore } from '@/store/store'
import cases from '../../../game/testdata/cases.json'
import { aCase, aCaseSummary, aDecision, anAppeal, anAuditEntry, anOwnDecision, ownClaim } from './deskFixtures'
import {
  aGroup,
  aMap,
  aPlayer,
  aRanking,
  aRankingRow,
  aRecord,
  cloudstep,
  mapPoints,
  mossfoot,
  page,
  playerPoints,
  somePoints,
  someProgress,
  someRecordDetails,
} from './fixtures'
import { activatePseudoLocale, plainTexts } from './pseudo'
import { renderRoute } from './render'
import { aReplay } from './replays'
import { problem, server, url } from './server'
import { aDelivery, aToken, aWebhook } from './settingsFixtures'

const map = aMap({
  _id: 'a',
  name: 'Skyline Run',
  version: 2,
  contributors: ['mossfoot'],
})
const record = someRecordDetails({ _id: 'r', rank: 14, medal: 'silver', finishTime: 44000, previousBest: 46000 })
const player = aPlayer({ roles: ['admin', 'moderator', 'validator'] })

const goal = {
  map: { _id: 'a', name: map.name },
  mode: 'Classic',
  best: { finishTime: 44000, rank: 14, medal: 'silver' },
  target: { kind: 'medal', medal: 'gold', rank: null, finishTime: 43733 },
  gap: 267,
  medalTimes: { author: 41_267, gold: 43_733, silver: 49_533, bronze: 61_900 },
  relativeGap: 0.006,
}

const change7d: PointsChange = {
  points: 3,
  places: 1,
  since: '2026-05-04',
  causes: (['improved', 'others', 'gone'] as const).map((kind) => ({
    map: { _id: kind, name: map.name },
    kind,
    pointsBefore: 1,
    points: 2,
    change: 1,
  })),
  rest: 0.5,
}

const withoutMode = cases.maps.find(({ name }) => name === 'no mode')?.encoded ?? ''

// What the pages show besides sentences.
const DATA = [
  ...[config.siteName, config.game.name, config.contact],
  ...[map.name, map.description, ...map.tags, ...GAME_MODES, map._id, 'cloudstep', 'mossfoot'],
  ...['run.lbReplay', 'a.gif', 'newcomer', 'bonk.io'],
  ...Object.values(LANGUAGES),
]

const verification = {
  checkedAt: '2026-05-11T18:05:00.000Z',
  checks: [
    { name: 'own_replay', result: 'passed', sentence: 'English.' },
    { name: 'time_stamp_plausible', result: 'not_applicable', sentence: 'English.' },
  ],
  notChecked: [{ name: 'simulation', sentence: 'English.' }],
}

const history = {
  steps: [
    {
      _id: 's1',
      player: record.player,
      finishTime: 50000,
      from: '2026-01-01T00:00:00Z',
      until: '2026-02-01T00:00:00Z',
    },
    { _id: 's2', player: record.player, finishTime: 44000, from: '2026-02-01T00:00:00Z', until: null },
  ],
  holders: [{ player: record.player, reigns: 2, heldFor: 90_000_000, current: true }],
}

const comparison = {
  player: record.player,
  opponent: { ...record.player, _id: 'm', name: 'mossfoot' },
  score: { wins: 2, losses: 1, ties: 1 },
  modes: [
    { mode: 'Classic', score: { wins: 2, losses: 0, ties: 0 } },
    { mode: null, score: { wins: 0, losses: 1, ties: 1 } },
  ],
  maps: [-300, 0].map((difference) => ({
    map: { _id: `m${difference}`, name: map.name },
    mode: null,
    player: { _id: 'p', finishTime: 40_000 + difference },
    opponent: { _id: 'o', finishTime: 40_000 },
    difference,
  })),
}

const groups = Object.keys(KINDS).flatMap((kind, i) => {
  const group = aGroup({
    _id: `one ${i}`,
    kind: kind as NotificationKind,
    removedSince: i > 5,
    from: 1,
    to: 2,
    ownFinishTime: 41_267 + (i % 2),
    pointsLost: 65.8,
  })
  return [
    group,
    { ...group, _id: `many ${i}`, count: 3, actorCount: 2, read: true },
    { ...group, _id: `n${i}`, count: 3 },
  ]
})

// Each kind of report, flag and decision.
const deskCase = aCase({
  claim: ownClaim(),
  reports: Object.keys(REASONS).map((reason) => ({
    ...(aCase().reports[0] as CaseReport),
    _id: reason,
    reason: reason as ReportReason,
  })),
  flags: Object.keys(FLAGS).map((kind) => ({ ...(aCase().flags[0] as CaseFlag), _id: kind, kind: kind as FlagKind })),
  decisions: Object.keys(DECIDED).map((kind) => aDecision({ _id: kind, kind: kind as DecisionKind })),
  allowed: Object.keys(DECIDED) as DecisionKind[],
})

const moderation = {
  ...{ days: 30, openCases: 4, reports: 41, closedCases: 37, undone: 2, appealsOpen: 1 },
  ...{ appealsGranted: 3, appealsKept: 5, medianMinutes: 190 },
  decisions: [{ kind: 'ban', count: 2 }],
}

// What moderators, reporters and players have written, and names of changes and fields.
const DESK_DATA = [
  ...deskCase.reports.map(({ text }) => text),
  ...deskCase.decisions.map(({ text }) => text),
  ...deskCase.history.map(({ text }) => text),
  ...anAppeal().messages.map(({ text }) => text),
  ...[
    anAuditEntry().action,
    anAuditEntry().reason,
    anAuditEntry().subjectId,
    'removedAt',
    '2026-05-12T09:00:00Z',
    'rain',
  ],
  ...['n', 'c', 'd', 'u', '?'],
]

// Names that players have given, addresses, types of events, and commands.
const FAILURES = Object.keys(FAILURE_TEXTS) as WebhookFailure[]
const SETTINGS_DATA = [
  ...[aToken().name, aWebhook().description, aWebhook().url, 'receiver.example', 'record', 'capzone-data.ndjson'],
  ...[`curl -H "Authorization: Bearer $token" ${location.origin}/api/v1/inbox/count`, '0001'],
]

const answer = (data: unknown) => () => HttpResponse.json({ success: true, data })

beforeEach(() => {
  activatePseudoLocale()
  URL.createObjectURL = vi.fn(() => 'blob:preview')
  URL.revokeObjectURL = vi.fn()
  server.use(
    http.get(url('/stats'), answer({ totalMaps: 1204, totalPlayers: 3, totalRecords: 5 })),
    http.get(url('/maps/search'), () => HttpResponse.json(page([map], { total: 30, pages: 3 }))),
    http.get(url('/maps/listed'), () =>
      HttpResponse.json(
        page([{ ...map, authors: ['cloudstep'], page: 'https://bonk.io/maps', mapId: null }], { total: 30, pages: 3 }),
      ),
    ),
    http.get(url('/maps/popular-tags'), answer(map.tags)),
    http.get(url('/maps/:id'), answer(map)),
    http.get(
      url('/maps/:id/versions'),
      answer([
        { _id: 'a', version: 2, newest: true },
        { _id: 'b', version: 1, newest: false },
      ]),
    ),
    http.get(url('/maps/:id/history'), answer(history)),
    http.post(url('/maps/drawing'), () => problem(422, { code: 'map_data_missing', message: 'English.' })),
    http.get(url('/records'), () =>
      HttpResponse.json(page([aRecord(), aRecord({ _id: 'other', medal: null })], { total: 30 })),
    ),
    http.get(
      url('/records/world-records'),
      answer([{ ...aRecord(), mapPictureUrl: null, previousWorldRecord: 42_000 }]),
    ),
    http.get(url('/records/progress'), answer([someProgress({ map: 'a' })])),
    http.get(url('/records/goals'), answer({ kind: 'goals', goals: [goal] })),
    http.get(url('/records/starters'), answer([goal])),
    http.get(url('/records/:id'), answer(record)),
    http.get(url('/records/:id/verification'), answer(verification)),
    http.get(url('/desk/records/:id/verification'), answer(verification)),
    http.get(url('/rankings'), ({ request }) => {
      const isMonth = new URL(request.url).searchParams.has('period', 'month')
      const rows = [aRankingRow(), aRankingRow({ player: mossfoot, change7d: { points: -1, places: -2 } })]
      return HttpResponse.json(
        aRanking(rows, {
          periodUntil: isMonth ? '2026-06-01T00:00:00.000Z' : null,
          pagination: { total: 30, page: 1, limit: 25, pages: 2, offset: 0 },
        }),
      )
    }),
    http.get(url('/players/:id/points'), () =>
      HttpResponse.json({
        success: true,
        data: playerPoints([{ ...somePoints(31, 2, 1), map: goal.map }], { change7d }),
        pagination: { total: 30, offset: 0, limit: 20 },
      }),
    ),
    http.get(url('/players/:id/points/history'), answer([{ day: '2026-05-01', points: 1, rank: null }])),
    http.get(url('/maps/:id/points'), answer(mapPoints())),
    http.get(url('/players/search'), () => HttpResponse.json(page([player], { total: 30, pages: 3 }))),
    http.get(url('/players/:id'), answer(player)),
    http.get(url('/players/:id/compare/:opponent'), () =>
      HttpResponse.json({ success: true, data: comparison, pagination: { total: 30, offset: 0, limit: 20 } }),
    ),
    http.get(url('/inbox/count'), answer({ unread: 3 })),
    http.get(url('/inbox'), () =>
      HttpResponse.json({ success: true, data: groups, pagination: { limit: 20, next: 'one 1' } }),
    ),
    http.get(url('/tokens'), answer([aToken({ scopes: ['records:submit', 'inbox:read', 'follows', 'webhooks'] })])),
    http.get(url('/webhooks'), answer([aWebhook(), aWebhook({ _id: 'off', enabled: false, format: 'discord' })])),
    http.get(url('/webhooks/:id'), answer(aWebhook({ enabled: false, offReason: 'failures' }))),
    http.get(
      url('/webhooks/:id/deliveries'),
      answer(FAILURES.map((failure) => aDelivery({ _id: failure, state: 'failed', failure }))),
    ),
    http.get(url('/me/deletion'), answer({ scheduledFor: '2026-06-25T10:00:00.000Z', requestedAt: null })),
    http.get(url('/inbox/settings'), answer(Object.keys(KINDS).map((kind) => ({ kind, delivery: 'browser' })))),
    http.get(url('/follows'), answer({ players: [mossfoot], maps: [{ _id: 'a', name: map.name }] })),
    http.get(url('/desk/cases'), () => HttpResponse.json(page([aCaseSummary({ claim: ownClaim() })], { total: 30 }))),
    http.get(url('/desk/cases/:id'), answer(deskCase)),
    http.get(url('/desk/flags/precision'), answer([{ kind: 'large_lead', judged: 50, confirmed: 31, silent: false }])),
    http.get(url('/desk/appeals'), () => HttpResponse.json(page([anAppeal()]))),
    http.get(url('/desk/audit'), () =>
      HttpResponse.json({ success: true, data: [anAuditEntry()], pagination: { limit: 50, next: 'a1' } }),
    ),
    http.get(url('/me/decisions'), answer([anOwnDecision({ appeal: anAppeal() })])),
    http.get(url('/decisions/:id'), answer(anOwnDecision({ kind: 'ban', appeal: anAppeal() }))),
    http.get(url('/moderation'), answer(moderation)),
    http.get(url('/auth/request-room-link'), () =>
      HttpResponse.json({ success: true, sessionId: 's', roomLink: 'https://game.example/r', expiresIn: 180 }),
    ),
    http.get(url('/auth/status'), () =>
      HttpResponse.json({ success: true, status: { status: 'pending', message: '' } }),
    ),
  )
})
afterEach(() => activateLocale('en'))

// settled waits until the page is shown and no request is under way.
async function settled(store: AppStore) {
  await screen.findByRole('main')
  await waitFor(() => {
    expect(screen.getByRole('heading', { level: 1 })).toBeInTheDocument()
    expect(Object.values(store.getState().api.queries).some((query) => query?.status === 'pending')).toBe(false)
  })
}

const open = async (path: string, options = { user: cloudstep }) => {
  const view = renderRoute(path, options)
  await settled(view.store)
  return view
}

const press = async (user: Awaited<ReturnType<typeof open>>['user'], ...names: RegExp[]) => {
  for (const name of names) await user.click((await screen.findAllByRole('button', { name }))[0] as HTMLElement)
}

// accented matches a sentence of the catalogue in the pseudo-locale.
const accented = (text: string) => new RegExp(text.replace(/\p{L}/gu, '$&\u0301'))

const pathsOf = (tree: Page[]): string[] => tree.flatMap(({ path, children = [] }) => [path, ...pathsOf(children)])

// The login waits for another player, and has a test of its own.
const PLAIN_PAGES = new Set(pathsOf(pages).filter((path) => !/[:*]/.test(path) && path !== paths.login))

// The pages with parameters, and others in further states.
const OTHER_PAGES = [
  '/map-search?name=x&author=y&gameMode=Classic&tags=short',
  '/map-search?page=9',
  '/map-search/listed?page=9',
  '/rankings?by=finished&period=month',
  '/rankings?around=me',
  `/player/${cloudstep._id}`,
  `/player/m`,
  `/compare/${cloudstep._id}/m`,
  '/leaderboard/a',
  '/record/r',
  '/replay-submit',
  '/replay-submit/a',
  '/inbox?before=x',
  '/settings/webhooks/w',
  '/leaderboard/a?following=true',
  '/desk?state=closed',
  '/desk/cases/c',
  '/decisions/d',
  '/mapSeries',
  '/events',
  '/nowhere',
]

describe('in the pseudo-locale', () => {
  it('every page with parameters is opened', () => {
    const opened = OTHER_PAGES.map((address) => address.replace(/\?.*/, ''))
    const others = pathsOf(pages).filter((path) => /[:*]/.test(path))
    expect(others.filter((path) => !opened.some((address) => matchPath(path, address)))).toEqual([])
  })

  it.each([...PLAIN_PAGES, ...OTHER_PAGES])('%s has no sentence that is not in the catalogue', async (path) => {
    await open(path, { user: { ...cloudstep, roles: ['admin'] } })
    expect(plainTexts([...DATA, ...DESK_DATA, ...SETTINGS_DATA, 'x', 'y'])).toEqual([])
  })

  it('a visitor meets none on the home page and at the login', async () => {
    const view = renderRoute('/')
    await settled(view.store)
    expect(plainTexts(DATA)).toEqual([])
    await act(() => view.router.navigate('/login-with-bonk'))
    await screen.findByText(accented('Waiting for you to join the room'))
    expect(plainTexts(DATA)).toEqual([])
  })

  it.each([
    '/',
    '/map-search',
    '/map-search/listed',
    '/player-search',
    `/player/${cloudstep._id}`,
    '/leaderboard/a',
    '/record/r',
    '/replay-submit/a',
    '/inbox',
    '/inbox/following',
    '/settings',
    '/settings/notifications',
    '/settings/tokens',
    '/settings/webhooks',
    '/settings/webhooks/w',
    '/settings/data',
  ])('%s has none where requests fail', async (path) => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    server.use(http.get(url('/*'), () => problem(500)))
    const view = renderRoute(path, { user: cloudstep })
    await waitFor(() =>
      expect(Object.values(view.store.getState().api.queries).map((query) => query?.status)).not.toContain('pending'),
    )
    expect(plainTexts([...DATA, ...SETTINGS_DATA])).toEqual([])
  })

  it.each(['/player/x', '/leaderboard/x', '/record/x', '/replay-submit/x'])(
    '%s has none where nothing is found',
    async (path) => {
      server.use(
        http.get(url('/maps/:id'), () => problem(404, { code: 'map_unknown', message: 'English.' })),
        http.get(url('/players/:id'), () => problem(404, { code: 'player_unknown', message: 'English.' })),
        http.get(url('/records'), () => problem(404, { code: 'map_unknown', message: 'English.' })),
        http.get(url('/records/:id'), () => problem(404, { code: 'record_unknown', message: 'English.' })),
      )
      await open(path)
      expect(plainTexts(DATA)).toEqual([])
    },
  )

  it.each(['/', '/map-search', '/player-search', `/player/${cloudstep._id}`, '/leaderboard/a'])(
    '%s has none while it loads',
    async (path) => {
      server.use(http.get(url('/*'), () => delay('infinite')))
      renderRoute(path, { user: cloudstep })
      await screen.findByRole('main')
      expect(plainTexts(DATA)).toEqual([])
    },
  )

  it('the menus, filters and the list of maps have none', async () => {
    const { user } = await open('/map-search')
    await press(user, accented('List view'), accented('Filters'))
    expect(plainTexts(DATA)).toEqual([])
    await user.keyboard('{Escape}')
    await press(user, accented('Sort'))
    await screen.findAllByRole('menuitemradio')
    expect(plainTexts(DATA)).toEqual([])
    await user.keyboard('{Escape}')
    await press(user, accented('Account of'))
    await screen.findAllByRole('menuitem')
    expect(plainTexts(DATA)).toEqual([])
  })

  it('the newest notifications have none, nor an empty inbox', async () => {
    const { user } = await open('/privacy')
    await press(user, accented('Inbox'))
    await screen.findByRole('link', { name: accented('See all') })
    expect(plainTexts(DATA)).toEqual([])
    server.use(
      http.get(url('/inbox'), () =>
        HttpResponse.json({ success: true, data: [], pagination: { limit: 8, next: null } }),
      ),
      http.get(url('/records'), () => HttpResponse.json(page([]))),
      http.get(url('/follows'), answer({ players: [], maps: [] })),
    )
    for (const path of ['/inbox', '/inbox?unread=true', '/inbox/following', '/leaderboard/a?following=true']) {
      cleanup()
      await open(path)
      expect(plainTexts(DATA)).toEqual([])
    }
  })

  it('the history of a map has none', async () => {
    const { user } = await open('/leaderboard/a')
    await press(user, accented('Show history'))
    await screen.findByRole('table', { name: accented('World records'), busy: false })
    expect(plainTexts(DATA)).toEqual([])
  })

  it('the terms of points have none, nor what places are worth, nor what is missing to a rank', async () => {
    const profile = await open(`/player/${cloudstep._id}?tab=points`)
    await press(profile.user, accented('Calculation'))
    expect(plainTexts(DATA)).toEqual([])
    cleanup()
    const leaderboard = await open('/leaderboard/a')
    await press(leaderboard.user, accented('All places'))
    expect(plainTexts(DATA)).toEqual([])
    cleanup()
    const missing = { reason: 'maps', maps: 2, authors: 1 } as const
    server.use(
      http.get(url('/rankings'), () =>
        problem(404, { code: 'player_unranked', message: 'English.', data: { missing } }),
      ),
      http.get(url('/players/:id/points'), () =>
        HttpResponse.json({
          success: true,
          data: playerPoints([], { rank: null, missing }),
          pagination: { total: 0, offset: 0, limit: 20 },
        }),
      ),
      http.get(url('/maps/:id/points'), answer(mapPoints({ ranked: false, reason: 'finishers', places: [] }))),
    )
    for (const path of ['/rankings?around=me', `/player/${cloudstep._id}?tab=points`, '/leaderboard/a']) {
      cleanup()
      await open(path)
      expect(plainTexts(DATA)).toEqual([])
    }
  })

  it('the form of a map has none, neither with its errors', async () => {
    const { user } = await open('/map-submit')
    await press(user, accented('Submit for Validation'))
    await screen.findByText(accented('Please fix the following errors'))
    const [replay, image] = document.querySelectorAll<HTMLInputElement>('input[type=file]')
    fireEvent.input(replay as HTMLElement, { target: { files: [aReplay()] } })
    await screen.findByText(accented('Replay info'))
    fireEvent.input(image as HTMLElement, { target: { files: [new File(['x'], 'a.gif', { type: 'image/gif' })] } })
    await screen.findByText(accented('Invalid image type'))
    await screen.findByText(accented('The map could not be drawn'))
    await press(user, accented('How to submit a map'), accented('Rules'))
    expect(plainTexts(DATA)).toEqual([])
  })

  it('what is missing in a replay has none', async () => {
    for (const labels of [{}, { 'Map Data': withoutMode }]) {
      cleanup()
      await open('/replay-submit')
      const replay = new File(
        ['Validated: true\n', ...Object.entries(labels).map(([label, value]) => `${label}: ${value}\n`)],
        'run.lbReplay',
      )
      fireEvent.input(document.querySelector('input[type=file]') as HTMLElement, { target: { files: [replay] } })
      await screen.findByText(accented('Replay info'))
      expect(plainTexts(DATA)).toEqual([])
    }
  })

  it('a session that cannot be renewed is reported by a sentence of the catalogue', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    server.use(
      http.get(url('/inbox/settings'), () => problem(401)),
      http.get(url('/auth/refresh-token'), () => problem(503)),
    )
    await open('/settings/notifications')
    expect(await screen.findByRole('alert')).toHaveTextContent(accented('Your session could not be renewed'))
    expect(plainTexts([...DATA, ...SETTINGS_DATA])).toEqual([])
  })

  it("a refusal is the catalogue's sentence of its code", async () => {
    server.use(http.post(url('/records/submit'), () => problem(403, { code: 'replay_not_yours', message: 'English.' })))
    const { user } = await open('/replay-submit')
    fireEvent.input(document.querySelector('input[type=file]') as HTMLElement, { target: { files: [aReplay()] } })
    await screen.findByText(accented('Replay info'))
    await press(user, /^S\u0301u\u0301b\u0301m\u0301i\u0301t\u0301 R\u0301e\u0301c\u0301o\u0301r\u0301d\u0301$/)
    await screen.findAllByText(accented('This replay was recorded by another player.'))
    expect(plainTexts(DATA)).toEqual([])
  })
})
