import { screen, within } from '@testing-library/react'
import { delay, HttpResponse, http } from 'msw'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { MapHistory, ParkourMap, WorldRecordStep } from '@/api'
import { aMap, cloudstep, page, someProgress } from '@/test/fixtures'
import { renderRoute } from '@/test/render'
import { problem, server, url } from '@/test/server'

const player = (name: string) => ({ _id: `player-${name}`, name, skinImageUrl: null, skinColor: null })

const step = (_id: string, name: string, finishTime: number, from: string, until: string | null): WorldRecordStep => ({
  _id,
  player: player(name),
  finishTime,
  from,
  until,
})

const history: MapHistory = {
  steps: [
    step('r1', 'cloudstep', 63167, '2026-05-01T12:00:00Z', '2026-05-04T12:00:00Z'),
    step('r2', 'mossfoot', 60000, '2026-05-04T12:00:00Z', '2026-05-04T14:30:00Z'),
    step('r3', 'mossfoot', 59933, '2026-05-04T14:30:00Z', null),
  ],
  holders: [
    { player: player('mossfoot'), reigns: 1204, heldFor: 9_000_000, current: true },
    { player: player('cloudstep'), reigns: 1, heldFor: 3 * 86_400_000, current: false },
  ],
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-05-11T14:30:00Z') })
  server.use(
    http.get(url('/maps/:id'), () => HttpResponse.json({ success: true, data: aMap() })),
    http.get(url('/records'), () => HttpResponse.json(page([]))),
  )
})
afterEach(() => {
  vi.useRealTimers()
})

function open(answer: () => Response | Promise<Response>) {
  server.use(http.get(url('/maps/:id/history'), answer))
  return renderRoute(`/leaderboard/${aMap()._id}`)
}

async function openHistory(data: MapHistory) {
  const { user } = open(serve(data))
  await user.click(await screen.findByRole('button', { name: 'Show history' }))
  await screen.findByRole('img', { name: /^The world record went from/ })
  return user
}

const serve = (data: MapHistory) => () => HttpResponse.json({ success: true, data, total: data.steps.length })

// The cell of a player begins with the initial of the avatar.
const rowsOf = async (table: string) =>
  within(await screen.findByRole('table', { name: table, busy: false }))
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .map((cell) => cell.textContent?.trim()),
    )

describe('the history of the world record', () => {
  it('lists the world records, the newest first, with their holders and how long they held it', async () => {
    await openHistory(history)
    expect(await rowsOf('World records')).toEqual([
      ['Mmossfoot', '00:59.93', '-00:00.07', '4 May 2026', '7 days'],
      ['Mmossfoot', '01:00.00', '-00:03.17', '4 May 2026', '2 hours'],
      ['Ccloudstep', '01:03.17', '', '1 May 2026', '3 days'],
    ])
    expect(await rowsOf('Holders of the world record')).toEqual([
      ['Mmossfoot', '1,204', '7 days until now'],
      ['Ccloudstep', '1', '3 days'],
    ])
    expect(screen.getByRole('link', { name: '00:59.93' })).toHaveAttribute('href', '/record/r3')
  })

  it('is shown and hidden by one button, which keeps the focus', async () => {
    const user = await openHistory(history)
    const button = screen.getByRole('button', { name: 'Hide history', expanded: true })
    expect(button).toHaveFocus()
    await user.keyboard('{Enter}')
    expect(screen.queryByRole('table', { name: 'Holders of the world record' })).not.toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Show history', expanded: false })).toBe(button)
    expect(button).toHaveFocus()
  })

  it('is drawn as steps', async () => {
    await openHistory(history)
    const chart = await screen.findByRole('img', {
      name: 'The world record went from 01:03.17 to 00:59.93 in 3 steps.',
    })
    // Right, then down, for each world record after the first.
    expect(chart.querySelector('path')?.getAttribute('d')).toMatch(/^M4 4(H[\d.]+V[\d.]+){2}H96$/)
  })

  it('shows the newest ten of a long history, then all, with the focus in the first that was added', async () => {
    const steps = Array.from({ length: 12 }, (_, i) =>
      step(`r${i}`, `runner${i}`, 60000 - i * 100, `2026-05-0${1 + Math.floor(i / 2)}T0${i % 2}:00:00Z`, null),
    )
    const user = await openHistory({ steps, holders: [] })
    expect(await rowsOf('World records')).toHaveLength(10)
    await user.click(screen.getByRole('button', { name: 'Show all 12 world records' }))
    expect(await rowsOf('World records')).toHaveLength(12)
    expect(screen.getByRole('link', { name: 'runner1' })).toHaveFocus()
  })

  it('shows the newest three before it is opened', async () => {
    const oldest = step('r0', 'cloudstep', 64000, '2026-04-30T12:00:00Z', '2026-05-01T12:00:00Z')
    open(serve({ ...history, steps: [oldest, ...history.steps] }))
    const times = () => screen.getAllByRole('link', { name: /^0[01]:/ }).map((link) => link.textContent)
    await screen.findByRole('link', { name: '00:59.93' })
    expect(times()).toEqual(['00:59.93', '01:00.00', '01:03.17'])
    expect(screen.queryByRole('img', { name: /^The world record went from/ })).not.toBeInTheDocument()
  })

  it('may be empty', async () => {
    open(serve({ steps: [], holders: [] }))
    expect(await screen.findByText('No world record yet.')).toBeVisible()
  })

  it('reports that it could not be loaded, and loads it again', async () => {
    const { user } = open(async () => {
      // A part of the page that is shown after an error asks again by itself.
      await vi.waitFor(() => screen.getByRole('table', { name: 'World records' }), { timeout: 30_000 })
      return problem(500)
    })
    expect(await screen.findByRole('alert')).toHaveTextContent('This could not be loaded.')
    server.use(http.get(url('/maps/:id/history'), serve(history)))
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await rowsOf('World records')).toHaveLength(3)
  })
})

describe('the card of the world record', () => {
  const openMap = (worldRecord: ParkourMap['worldRecord'], data: MapHistory) => {
    server.use(http.get(url('/maps/:id'), () => HttpResponse.json({ success: true, data: aMap({ worldRecord }) })))
    return open(serve(data))
  }
  // The card has what places are worth, too, where that is answered.
  beforeEach(() => server.use(http.get(url('/maps/:id/points'), () => problem(503))))
  const card = () => screen.findByRole('region', { name: 'World record' })

  it('has the time, the holder, and for how long it stands, by the history that the page has', async () => {
    const asked = vi.fn()
    server.events.on('request:start', ({ request }) => asked(new URL(request.url).pathname))
    openMap({ _id: 'r3', finishTime: 59933, player: player('mossfoot') }, history)
    expect(await within(await card()).findByText('Has stood for 7 days')).toBeVisible()
    expect(within(await card()).getByRole('link', { name: '00:59.93' })).toHaveAttribute('href', '/record/r3')
    expect(within(await card()).getByRole('link', { name: 'mossfoot' })).toHaveAttribute(
      'href',
      '/player/player-mossfoot',
    )
    expect(asked.mock.calls.filter(([path]) => path.endsWith('/history'))).toHaveLength(1)
    server.events.removeAllListeners()
  })

  it('does without the duration where the history does not have the record', async () => {
    openMap({ _id: 'r4', finishTime: 59000, player: player('rain') }, history)
    await screen.findByRole('table', { name: 'World records', busy: false })
    expect(await card()).toHaveTextContent(/^World record00:59\.00Rrain(?!Has)/)
  })

  it('says that there is no record yet', async () => {
    openMap(null, { steps: [], holders: [] })
    expect(await screen.findByText('None yet')).toBeVisible()
    expect(await card()).toHaveTextContent(/^World recordNone yet301/)
  })

  it('has its place while the map loads, and none where the map fails', async () => {
    server.use(http.get(url('/maps/:id'), () => delay('infinite')))
    const loading = open(serve(history))
    expect(await card()).toHaveTextContent(/^$/)
    loading.unmount()
    server.use(http.get(url('/maps/:id'), () => problem(500)))
    open(serve(history))
    await screen.findAllByText('Failed to load map details')
    expect(screen.queryByRole('region', { name: 'World record' })).not.toBeInTheDocument()
  })

  it('has the own progress of a player who is logged in', async () => {
    server.use(
      http.get(url('/maps/:id'), () => HttpResponse.json({ success: true, data: aMap() })),
      http.get(url('/maps/:id/history'), serve(history)),
      http.get(url('/records/progress'), () => HttpResponse.json({ success: true, data: [someProgress()] })),
    )
    renderRoute(`/leaderboard/${aMap()._id}`, { user: cloudstep })
    expect(
      await within(await card()).findByRole('img', {
        name: /^Your best is at 00:44\.47, 00:00\.73 short of the gold medal/,
      }),
    ).toBeVisible()
  })
})
