import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Goal } from '@/api'
import { cloudstep } from '@/test/fixtures'
import { renderPart } from '@/test/render'
import { problem, server, url } from '@/test/server'
import { NextGoals } from './NextGoals'

const goal = (name: string, change: Partial<Goal> = {}): Goal => ({
  map: { _id: `map-${name}`, name },
  mode: 'Classic',
  medalTimes: { author: 41_267, gold: 43_733, silver: 49_533, bronze: 61_900 },
  best: { finishTime: 44_467, rank: 14, medal: 'silver' },
  target: { kind: 'medal', medal: 'gold', rank: null, finishTime: 43_733 },
  gap: 734,
  relativeGap: 0.0165,
  ...change,
})

const asked: string[] = []

// The server leaves out what was put aside.
function serve(goals: Goal[], kind: 'goals' | 'newcomer' = 'goals') {
  const aside = new Set<string>()
  const change =
    (apply: (map: string) => unknown) =>
    ({ params: { map } }: { params: Record<string, unknown> }) => {
      apply(String(map))
      return new HttpResponse(null, { status: 204 })
    }
  server.use(
    http.get(url('/records/goals'), () => {
      asked.push('goals')
      return HttpResponse.json({ success: true, data: { kind, goals: goals.filter(({ map }) => !aside.has(map._id)) } })
    }),
    http.get(url('/records/starters'), () => {
      asked.push('starters')
      return HttpResponse.json({ success: true, data: goals })
    }),
    http.post(
      url('/records/goals/:map/put-aside'),
      change((map) => aside.add(map)),
    ),
    http.delete(
      url('/records/goals/:map/put-aside'),
      change((map) => aside.delete(map)),
    ),
  )
}

const open = () => renderPart(<NextGoals />, { user: cloudstep })
const row = (name: RegExp) => screen.findByRole('row', { name })

beforeEach(() => {
  asked.length = 0
})

describe('the next goals', () => {
  it('name the map, the own best, the goal, and what is missing in seconds', async () => {
    serve([
      goal('Skyline Run'),
      goal('Moss Garden', { target: { kind: 'place', medal: null, rank: 3, finishTime: 44_433 }, gap: 34 }),
    ])
    open()
    const medal = await row(/Skyline Run/)
    expect(medal).toHaveTextContent(/Skyline RunClassic.*00:44\.47.*#14.*Gold medal.*00:43\.73.*0\.73 s/)
    expect(within(medal).getByRole('link', { name: 'Skyline Run' })).toHaveAttribute(
      'href',
      '/leaderboard/map-Skyline%20Run',
    )
    expect(
      within(medal).getByRole('img', { name: /^Your best is at 00:44\.47, 00:00\.73 short of the gold medal/ }),
    ).toBeVisible()
    expect(await row(/Moss Garden/)).toHaveTextContent(/#300:44\.43.*0\.03 s/)
    expect(screen.getByRole('heading', { name: 'Next Goals' })).toBeVisible()
    expect(screen.getByText('The medals and places that you are closest to.')).toBeVisible()
    expect(asked).toEqual(['goals'])
  })

  it('are easy maps for a newcomer', async () => {
    serve([goal('Skyline Run', { best: null, gap: null, relativeGap: null, target: null })], 'newcomer')
    open()
    expect(await row(/Skyline Run/)).toHaveTextContent('Finish it')
    expect(screen.getByText('The easiest maps that you have not finished yet.')).toBeVisible()
    expect(screen.queryByRole('columnheader', { name: 'Your best' })).toBeNull()
  })

  it('are put aside for a month, and taken up again by the toast', async () => {
    serve([goal('Skyline Run'), goal('Moss Garden')])
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: 'Put Skyline Run aside for a month' }))
    expect(await screen.findByText('Skyline Run is put aside for a month')).toBeVisible()
    await waitFor(() => expect(screen.queryByRole('row', { name: /Skyline Run/ })).not.toBeInTheDocument())
    expect(await row(/Moss Garden/)).toBeVisible()
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    expect(await row(/Skyline Run/)).toBeVisible()
  })

  it('stay where the server refuses', async () => {
    serve([goal('Skyline Run')])
    server.use(http.post(url('/records/goals/:map/put-aside'), () => problem(429, { message: 'Not so fast.' })))
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: 'Put Skyline Run aside for a month' }))
    expect(await screen.findByText('Not so fast.')).toBeVisible()
    expect(await row(/Skyline Run/)).toBeVisible()
  })

  it('may be none', async () => {
    serve([])
    open()
    expect(await screen.findByText('No map is left for now.')).toBeVisible()
  })

  it('are loaded again after a failure, which is only logged', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    server.use(http.get(url('/records/goals'), () => problem(500)))
    const { user } = open()
    expect(await screen.findByText('The maps to play next could not be loaded.')).toBeVisible()
    expect(logged).toHaveBeenCalled()
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
    serve([goal('Skyline Run')])
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await row(/Skyline Run/)).toBeVisible()
  })
})

describe('the maps to start with', () => {
  it('are shown to visitors', async () => {
    serve([goal('Skyline Run', { best: null, gap: null, relativeGap: null })])
    renderPart(<NextGoals />)
    expect(await row(/Skyline Run/)).toHaveTextContent(/Skyline RunClassic.*Gold medal.*00:43\.73/)
    expect(screen.getByRole('heading', { name: 'Maps to Start With' })).toBeVisible()
    expect(screen.queryByRole('button', { name: /aside/ })).not.toBeInTheDocument()
    expect(asked).toEqual(['starters'])
  })
})
