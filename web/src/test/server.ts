import { delay, HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { aRanking, mapPoints, page, playerPoints, someStatistics } from './fixtures'

// url is the address of an API call, as a handler takes it.
export const url = (path: string) => `${location.origin}/api/v1${path}`

// problem is a failed answer of the API.
export const problem = (status: number, body: { code?: string; message?: string; data?: object } = {}) =>
  HttpResponse.json({ success: false, requestId: 'test', ...body }, { status })

// Unless a test says otherwise, no player is logged in, no room is opened, no map has a history, no player has progress, goals or
// statistics, points, follows anything, has notifications, has chosen a language or asked for a deletion, no record is being looked at, and the
// server sends no events.
export const server = setupServer(
  http.get(url('/auth/refresh-token'), () =>
    HttpResponse.json({ success: false, code: 'refresh_missing', message: 'Please log in first.' }),
  ),
  http.get(url('/auth/request-room-link'), () => delay('infinite')),
  http.get(url('/maps/:id/history'), () => HttpResponse.json({ success: true, data: { steps: [], holders: [] } })),
  http.get(url('/records/progress'), () => HttpResponse.json({ success: true, data: [] })),
  http.get(url('/players/:id/statistics'), () => HttpResponse.json({ success: true, data: someStatistics() })),
  http.get(url('/players/:id/improvements'), () => HttpResponse.json(page([]))),
  http.get(url('/players/:id/points'), () =>
    HttpResponse.json({
      success: true,
      data: playerPoints([], { rank: null, missing: { reason: 'maps', maps: 5, authors: 3 } }),
      pagination: { total: 0, offset: 0, limit: 20 },
    }),
  ),
  http.get(url('/players/:id/points/history'), () => HttpResponse.json({ success: true, data: [] })),
  http.get(url('/maps/:id/points'), () =>
    HttpResponse.json({
      success: true,
      data: mapPoints({ ranked: false, reason: 'finishers', finishers: 3, places: [] }),
    }),
  ),
  http.get(url('/rankings'), () => HttpResponse.json(aRanking([]))),
  http.get(url('/records/starters'), () => HttpResponse.json({ success: true, data: [] })),
  http.get(url('/records/goals'), () => HttpResponse.json({ success: true, data: { kind: 'goals', goals: [] } })),
  http.get(url('/inbox/count'), () => HttpResponse.json({ success: true, data: { unread: 0 } })),
  http.get(url('/inbox'), () => HttpResponse.json({ success: true, data: [], pagination: { limit: 8, next: null } })),
  http.get(url('/follows'), () => HttpResponse.json({ success: true, data: { players: [], maps: [] } })),
  http.get(url('/follows/:kind/:id'), () => HttpResponse.json({ success: true, data: { following: false } })),
  http.get(url('/moderation/records/:id'), () => HttpResponse.json({ success: true, data: { beingLookedAt: false } })),
  http.get(url('/me/account'), () => HttpResponse.json({ success: true, data: { language: null } })),
  http.get(url('/me/deletion'), () =>
    HttpResponse.json({ success: true, data: { scheduledFor: null, requestedAt: null } }),
  ),
  http.get(url('/events'), () => new HttpResponse(null, { status: 404 })),
  http.get(`${location.origin}/healthz`, () => new HttpResponse('ok')),
)
