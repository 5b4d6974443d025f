import { act, screen, waitFor } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { loggedOut } from '@/session/session'
import type { AppStore } from '@/store/store'
import {
  aGroup,
  aMap,
  aRanking,
  aRecord,
  cloudstep,
  mossfoot,
  page,
  someProgress,
  someRecordDetails,
} from '@/test/fixtures'
import { renderRoute } from '@/test/render'
import { problem, server, url } from '@/test/server'
import { startLiveUpdates } from './liveUpdates'

let end = () => {}
const asked: Request[] = []
let streams: ReadableStreamDefaultController<Uint8Array>[] = []

beforeEach(() => {
  asked.length = 0
  streams = []
  server.use(
    http.get(url('/events'), ({ request }) => {
      asked.push(request)
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          streams.push(controller)
        },
      })
      return new HttpResponse(body, { headers: { 'Content-Type': 'text/event-stream' } })
    }),
    http.get(url('/stats'), () => HttpResponse.json({ success: true, data: {} })),
    http.get(url('/maps/search'), () => HttpResponse.json(page([]))),
    http.get(url('/rankings'), () => HttpResponse.json(aRanking([]))),
    http.get(url('/records/world-records'), () => HttpResponse.json({ success: true, data: [] })),
    http.get(url('/records/goals'), () => HttpResponse.json({ success: true, data: { kind: 'goals', goals: [] } })),
    http.get(url('/players/:id/points'), () => problem(404)),
    http.get(url('/inbox'), () => HttpResponse.json({ success: true, data: [], pagination: { limit: 3, next: null } })),
  )
})
afterEach(() => {
  end()
  end = () => {}
  vi.unstubAllGlobals()
})

let id = 0
async function send(type: string, data: object) {
  await waitFor(() => expect(streams).not.toHaveLength(0))
  id++
  streams.at(-1)?.enqueue(new TextEncoder().encode(`id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`))
}

let records = [aRecord()]
let requests = 0
beforeEach(() => {
  records = [aRecord()]
  requests = 0
  server.use(
    http.get(url('/records'), () => {
      requests++
      return HttpResponse.json(page(records))
    }),
  )
})

// startLive starts the updates, and waits until the page has loaded its list again.
async function startLive(store: AppStore) {
  end = startLiveUpdates(store)
  await waitFor(() => expect(requests).toBe(2))
}

const mapId = aMap()._id
const newer = aRecord({ _id: 'newer', player: mossfoot, finishTime: 41_000 })

describe('live updates', () => {
  it('show a new record on the home page', async () => {
    const { store } = renderRoute('/')
    await screen.findByRole('link', { name: 'cloudstep' })
    await startLive(store)
    records = [newer, ...records]
    await send('record', { recordId: 'newer', mapId })
    expect(await screen.findByRole('link', { name: 'mossfoot' })).toBeVisible()
    expect(screen.getByText('Updated just now')).toBeVisible()
  })

  it('show what was new before the stream was open', async () => {
    const { store } = renderRoute('/')
    await screen.findByRole('link', { name: 'cloudstep' })
    records = [newer, ...records]
    end = startLiveUpdates(store)
    expect(await screen.findByRole('link', { name: 'mossfoot' })).toBeVisible()
  })

  it('begin where the page began, which is not loaded again', async () => {
    const { store } = renderRoute('/')
    await screen.findByRole('link', { name: 'cloudstep' })
    end = startLiveUpdates(store, '7')
    await waitFor(() => expect(asked).toHaveLength(1))
    expect(asked[0]!.headers.get('Last-Event-ID')).toBe('7')
    records = [newer, ...records]
    await send('record', { recordId: 'newer', mapId })
    expect(await screen.findByRole('link', { name: 'mossfoot' })).toBeVisible()
    expect(requests).toBe(2)
  })

  it('show a new record on an open leaderboard, but not under the focus', async () => {
    server.use(http.get(url('/maps/:id'), () => HttpResponse.json({ success: true, data: aMap() })))
    const { store, user } = renderRoute(`/leaderboard/${mapId}`)
    const table = await screen.findByRole('table', { name: 'Leaderboard', busy: false })
    const player = await screen.findByRole('link', { name: /00:41\.27/ })
    await startLive(store)
    act(() => player.focus())
    records = [newer, ...records]
    await send('record', { recordId: 'newer', mapId })
    const button = await screen.findByRole('button', { name: 'New record: show' })
    expect(table).not.toHaveTextContent('mossfoot')
    await user.click(button)
    expect(table).toHaveTextContent('mossfoot')
  })

  it('leave a leaderboard alone where the record is on another', async () => {
    server.use(http.get(url('/maps/:id'), () => HttpResponse.json({ success: true, data: aMap() })))
    const { store } = renderRoute(`/leaderboard/${mapId}`)
    await screen.findByRole('link', { name: /00:41\.27/ })
    await startLive(store)
    await send('record', { recordId: 'newer', mapId: 'another' })
    await send('record', { recordId: 'newer', mapId })
    await waitFor(() => expect(requests).toBe(3), { timeout: 3000 })
  })

  it.each([
    ['another player has a record on the map', 'record', { recordId: 'newer', mapId, playerId: mossfoot._id }],
    ['the medal times of the map change', 'map.updated', { mapId }],
    ['the own player has a record elsewhere', 'record', { recordId: 'own', mapId: 'b', playerId: cloudstep._id }],
  ])('show the own progress on a leaderboard anew when %s', async (_, type, data) => {
    let finishTime = 44_467
    let progressRequests = 0
    server.use(
      http.get(url('/maps/:id'), () => HttpResponse.json({ success: true, data: aMap() })),
      http.get(url('/records/progress'), () => {
        progressRequests++
        const progress = someProgress()
        return HttpResponse.json({ success: true, data: [{ ...progress, best: { ...progress.best, finishTime } }] })
      }),
    )
    const { store } = renderRoute(`/leaderboard/${mapId}`, { user: cloudstep })
    const card = await screen.findByRole('region', { name: 'World record' })
    await waitFor(() => expect(card).toHaveTextContent('00:44.47'))
    end = startLiveUpdates(store)
    // What may have changed before the stream was open is asked for first.
    await waitFor(() => expect(progressRequests).toBe(2), { timeout: 3000 })
    finishTime = 43_700
    await send(type, data)
    await waitFor(() => expect(card).toHaveTextContent('00:43.70'), { timeout: 3000 })
  })

  it('leave the progress on the maps of a list alone', async () => {
    let progressRequests = 0
    server.use(
      http.get(url('/maps/search'), () => HttpResponse.json(page([aMap(), aMap({ _id: 'b', name: 'Moss Garden' })]))),
      http.get(url('/records/progress'), () => {
        progressRequests++
        return HttpResponse.json({ success: true, data: [someProgress()] })
      }),
    )
    const { store } = renderRoute('/', { user: cloudstep })
    await screen.findByRole('img', { name: /^Your best is at 00:44\.47/ })
    await startLive(store)
    await send('record', { recordId: 'newer', mapId, playerId: mossfoot._id })
    await waitFor(() => expect(requests).toBe(3), { timeout: 3000 })
    expect(progressRequests).toBe(1)
  })

  it('show what changes on the page of a record', async () => {
    let rank = 1
    server.use(
      http.get(url('/maps/:id'), () => HttpResponse.json({ success: true, data: aMap() })),
      http.get(url('/records/:id'), () => {
        requests++
        return HttpResponse.json({ success: true, data: someRecordDetails({ rank }) })
      }),
      http.get(url('/records/:id/verification'), () =>
        HttpResponse.json({ success: true, data: { checkedAt: aRecord().createdAt, checks: [], notChecked: [] } }),
      ),
    )
    const { store } = renderRoute(`/record/${aRecord()._id}`)
    await screen.findByRole('heading', { level: 1 })
    await startLive(store)
    rank = 7
    await send('record', { recordId: 'newer', mapId })
    expect(await screen.findByText('7')).toBeVisible()
    expect(screen.getByText('Updated just now')).toBeVisible()
  })

  it('say on the page of a record that it was removed', async () => {
    let removed = false
    const gone = () => problem(404, { code: 'record_unknown', message: 'There is no such record.' })
    server.use(
      http.get(url('/maps/:id'), () => HttpResponse.json({ success: true, data: aMap() })),
      http.get(url('/records/:id'), () => {
        requests++
        return removed ? gone() : HttpResponse.json({ success: true, data: someRecordDetails() })
      }),
      http.get(url('/records/:id/verification'), () =>
        removed
          ? gone()
          : HttpResponse.json({ success: true, data: { checkedAt: aRecord().createdAt, checks: [], notChecked: [] } }),
      ),
    )
    const { store } = renderRoute(`/record/${aRecord()._id}`)
    await screen.findByRole('heading', { level: 1, name: 'cloudstep on Skyline Run' })
    await startLive(store)
    removed = true
    await send('record.removed', { recordId: aRecord()._id, mapId })
    expect(await screen.findByText('Record not found')).toBeVisible()
    expect(screen.queryByText('00:41.27')).not.toBeInTheDocument()
  })

  it("count the player's unread notifications, with the token in a header", async () => {
    let unread = 0
    server.use(
      http.get(url('/inbox/count'), () => {
        requests++
        return HttpResponse.json({ success: true, data: { unread } })
      }),
    )
    const { store } = renderRoute('/privacy', { user: cloudstep })
    await screen.findByRole('button', { name: 'Inbox' })
    await startLive(store)
    await waitFor(() => expect(asked).toHaveLength(1))
    expect(new URL(asked[0]!.url).search).toBe('?me=true')
    expect(asked[0]!.headers.get('Authorization')).toBe('Bearer token')
    unread = 2
    await send('inbox', { kind: 'record_lost' })
    expect(await screen.findByRole('button', { name: 'Inbox, 2 unread' })).toBeVisible()
  })

  it('connect anew for another player, and for none', async () => {
    const { store } = renderRoute('/privacy', { user: cloudstep })
    end = startLiveUpdates(store)
    await waitFor(() => expect(asked).toHaveLength(1))
    act(() => void store.dispatch(loggedOut()))
    await waitFor(() => expect(asked).toHaveLength(2))
    expect(new URL(asked[1]!.url).search).toBe('')
    expect(asked[1]!.headers.has('Authorization')).toBe(false)
  })

  it('are read from the beginning of what is missing', async () => {
    const { store } = renderRoute('/privacy')
    vi.spyOn(Math, 'random').mockReturnValue(0)
    end = startLiveUpdates(store)
    await send('player.registered', {})
    await waitFor(() => expect(asked).toHaveLength(1))
    const last = id
    streams[0]?.enqueue(new TextEncoder().encode('retry: 1\n\n'))
    await act(async () => {})
    streams[0]?.close()
    await waitFor(() => expect(asked).toHaveLength(2))
    expect(asked[1]!.headers.get('Last-Event-ID')).toBe(String(last))
  })
})

describe('a notification of the browser', () => {
  const shown: { title: string; options: NotificationOptions }[] = []

  // hide lets the browser show notifications while the page is hidden.
  function hide(permission: NotificationPermission, delivery: string) {
    shown.length = 0
    const Stub = class {
      static permission = permission
      constructor(title: string, options: NotificationOptions) {
        shown.push({ title, options })
      }
      addEventListener() {}
    }
    vi.stubGlobal('Notification', Stub)
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    let requests = 0
    server.use(
      http.get(url('/inbox/settings'), () => {
        requests++
        return HttpResponse.json({ success: true, data: [{ kind: 'record_lost', delivery }] })
      }),
      http.get(url('/inbox'), () =>
        HttpResponse.json({ success: true, data: [aGroup()], pagination: { limit: 1, next: null } }),
      ),
    )
    return () => requests
  }

  it('is shown while the page is hidden', async () => {
    const { store } = renderRoute('/privacy', { user: cloudstep })
    hide('granted', 'browser')
    end = startLiveUpdates(store)
    await send('inbox', { kind: 'record_lost' })
    await waitFor(() => expect(shown).toHaveLength(1))
    expect(shown[0]?.options.body).toBe('mossfoot broke your world record on Skyline Run')
  })

  it.each(['denied', 'default'] as const)('is not shown while the permission is %s', async (permission) => {
    const { store } = renderRoute('/privacy', { user: cloudstep })
    const requests = hide(permission, 'browser')
    let counts = 0
    server.use(
      http.get(url('/inbox/count'), () => {
        counts++
        return HttpResponse.json({ success: true, data: { unread: 0 } })
      }),
    )
    end = startLiveUpdates(store)
    await send('inbox', { kind: 'record_lost' })
    await waitFor(() => expect(counts).toBeGreaterThan(0))
    expect(requests()).toBe(0)
    expect(shown).toEqual([])
  })

  it('is not shown for a kind that the player wants in the inbox alone', async () => {
    const { store } = renderRoute('/privacy', { user: cloudstep })
    const requests = hide('granted', 'inbox')
    end = startLiveUpdates(store)
    await send('inbox', { kind: 'record_lost' })
    await waitFor(() => expect(requests()).toBe(1))
    expect(shown).toEqual([])
  })
})
