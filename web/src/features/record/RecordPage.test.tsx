import { screen, waitFor, within } from '@testing-library/react'
import { delay, HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { RecordDetails } from '@/api'
import { aMap, aRecord, cloudstep, someRecordDetails } from '@/test/fixtures'
import { renderRoute } from '@/test/render'
import { problem, server, url } from '@/test/server'

const record = someRecordDetails({
  _id: 'r14',
  finishTime: 44000,
  medal: 'silver',
  rank: 14,
  rankAtSubmission: 9,
  previousBest: 46000,
  previousWorldRecord: 43000,
  worldRecord: { _id: 'r1', finishTime: 41267, player: { ...aRecord().player, name: 'mossfoot' } },
  nextAbove: { _id: 'r13', finishTime: 43267, player: { ...aRecord().player, name: 'rain' }, rank: 13, gap: 733 },
})

const verification = {
  checkedAt: '2026-05-11T18:05:00.000Z',
  checks: [
    { name: 'read_by_server', result: 'passed', sentence: 'The server read the replay.' },
    { name: 'time_stamp_plausible', result: 'not_applicable', sentence: 'The replay has no time stamp.' },
  ],
  notChecked: [{ name: 'simulation', sentence: 'The run was not simulated again.' }],
}

function serve(data: RecordDetails = record) {
  server.use(
    http.get(url('/records/:id'), () => HttpResponse.json({ success: true, data })),
    http.get(url('/records/:id/verification'), () => HttpResponse.json({ success: true, data: verification })),
    http.get(url('/maps/:id'), () => HttpResponse.json({ success: true, data: aMap() })),
  )
}

beforeEach(() => serve())

const facts = () =>
  Object.fromEntries(
    within(screen.getByRole('region', { name: 'Record' }))
      .getAllByRole('term')
      .map((term) => [term.textContent, term.nextElementSibling?.textContent]),
  )

// failWhile fails once the page shows that it loads: a page that is opened after an error asks again by itself.
const failWhile = (name: string) => async () => {
  await vi.waitFor(() => screen.getByRole('status', { name }), { timeout: 30_000 })
  return problem(500)
}

describe('the page of a record', () => {
  it('shows the time, the medal and what the next one needs', async () => {
    renderRoute('/record/r14')
    expect(await screen.findByRole('heading', { level: 1, name: 'cloudstep on Skyline Run' })).toBeVisible()
    expect(screen.getAllByText('00:44.00')[0]).toBeVisible()
    expect(screen.getByRole('img', { name: 'Silver medal' })).toBeVisible()
    expect(await screen.findByText('Silver medal, 00:00.27 short of the gold medal')).toBeVisible()
    expect(document.title).toBe('00:44.00 by cloudstep on Skyline Run · Capzone')
  })

  it('compares it with other records, then and now', async () => {
    renderRoute('/record/r14')
    await screen.findByRole('heading', { level: 1 })
    expect(facts()).toEqual({
      Player: 'Ccloudstep', // with the initial of the avatar
      Map: 'Skyline Run',
      Date: '11 May 2026',
      'Rank now': '14',
      'Rank when set': '9',
      'Next above': '+00:00.73 behind rain',
      'World record': '+00:02.73 behind mossfoot',
      'World record before': '+00:01.00',
      'Personal best before': '-00:02.00',
      Submitted: '11 May 2026',
    })
    expect(screen.getAllByText('11 May 2026')[0]).toHaveAttribute('datetime', '2026-05-11T18:02:33.120Z')
  })

  it('links to the player, the map, the leaderboard with the record, the world record and the replay', async () => {
    renderRoute('/record/r14')
    const address = async (name: string) => (await screen.findByRole('link', { name })).getAttribute('href')
    expect(await address('cloudstep')).toBe(`/player/${cloudstep._id}`)
    expect(await address('Skyline Run')).toBe(`/leaderboard/${aMap()._id}`)
    expect(await address('Back to the leaderboard')).toBe(`/leaderboard/${aMap()._id}?page=2&record=r14`)
    expect(await address('+00:02.73 behind mossfoot')).toBe('/record/r1')
    expect(await address('+00:00.73 behind rain')).toBe('/record/r13')
    expect(await address('Download replay')).toBe('/api/v1/download/replays/r14')
  })

  it('has the drawn picture of the map', async () => {
    renderRoute('/record/r14')
    expect(await screen.findByRole('img', { name: 'The map Skyline Run' })).toHaveAttribute(
      'src',
      '/media/maps/a-drawn.webp',
    )
  })

  it('copies its address', async () => {
    const { user } = renderRoute('/record/r14')
    await user.click(await screen.findByRole('button', { name: 'Share' }))
    expect(await screen.findByText('Link copied')).toBeVisible()
    expect(await navigator.clipboard.readText()).toBe(`${location.origin}/record/r14`)
  })

  it.each<[string, Partial<RecordDetails>, Record<string, string>]>([
    ['the first of its leaderboard', { rank: 1, nextAbove: null }, { 'Next above': 'None' }],
    ['the world record', { worldRecord: { ...aRecord(), _id: 'r14' } }, { 'World record': 'This record' }],
    [
      'the first of its player and map',
      { previousBest: null, previousWorldRecord: null },
      { 'World record before': 'None', 'Personal best before': 'None' },
    ],
    [
      'no personal best',
      { rank: undefined, nextAbove: null, rankAtSubmission: null, previousBest: 43000 },
      {
        'Rank now': 'Not the personal best',
        'Rank when set': 'Not the personal best',
        'Next above': 'Not the personal best',
      },
    ],
    ['a long leaderboard', { rank: 1204, rankAtSubmission: 1203 }, { 'Rank now': '1,204', 'Rank when set': '1,203' }],
    ['of an old version', { newestVersion: false, mapVersion: 2 }, { Map: 'Skyline RunVersion 2' }],
  ])('may be of %s', async (_, change, shown) => {
    serve({ ...record, ...change } as RecordDetails)
    renderRoute('/record/r14')
    await screen.findByRole('heading', { level: 1 })
    expect(facts()).toMatchObject(shown)
  })

  it('is loading at first', async () => {
    server.use(http.get(url('/records/:id'), () => delay('infinite')))
    renderRoute('/record/r14')
    expect(await screen.findByRole('status', { name: 'Loading the record' })).toBeInTheDocument()
  })

  it('may be of a record that is unknown or was removed', async () => {
    server.use(
      http.get(url('/records/:id'), () =>
        problem(404, { code: 'record_unknown', message: 'There is no such record.' }),
      ),
      http.get(url('/records/:id/verification'), () => problem(404, { code: 'record_unknown' })),
    )
    renderRoute('/record/r14')
    await waitFor(() => {
      expect(screen.getByText('Record not found')).toBeVisible()
      expect(screen.getByText(/may have been removed/)).toBeVisible()
      expect(screen.getByRole('link', { name: 'Browse Maps' })).toBeVisible()
    })
  })

  it('may fail to load, and loads again', async () => {
    server.use(http.get(url('/records/:id'), failWhile('Loading the record')))
    const { user } = renderRoute('/record/r14')
    expect(await screen.findByRole('alert')).toHaveTextContent('This could not be loaded.')
    serve()
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect((await screen.findAllByText('00:44.00'))[0]).toBeVisible()
  })
})

describe('the verification of a record', () => {
  it('lists the checks by name with result and sentence, and what was not checked', async () => {
    const { user } = renderRoute('/record/r14')
    expect(screen.queryByRole('list', { name: 'Checks' })).not.toBeInTheDocument()
    await user.click(await screen.findByText('1 of 1 check passed, simulation not checked'))
    const checks = within(await screen.findByRole('list', { name: 'Checks' })).getAllByRole('listitem')
    expect(checks.map((check) => check.textContent)).toEqual([
      'Read by serverPassedThe server read the replay.',
      'Time stamp plausibleDoes not applyThe replay has no time stamp.',
    ])
    expect(screen.getByRole('list', { name: 'Not checked' })).toHaveTextContent(
      'SimulationNot checkedThe run was not simulated again.',
    )
  })

  it('shows a result that only a newer server knows', async () => {
    const check = { name: 'read_by_server', result: 'repeated', sentence: 'The server read the replay twice.' }
    server.use(
      http.get(url('/records/:id/verification'), () =>
        HttpResponse.json({ success: true, data: { ...verification, checks: [check] } }),
      ),
    )
    const { user } = renderRoute('/record/r14')
    await user.click(await screen.findByText('0 of 1 check passed, simulation not checked'))
    const [item] = within(await screen.findByRole('list', { name: 'Checks' })).getAllByRole('listitem')
    expect(item).toHaveTextContent('Read by serverrepeatedThe server read the replay twice.')
  })

  it('may fail to load', async () => {
    server.use(http.get(url('/records/:id/verification'), failWhile('Loading the checks')))
    const { user } = renderRoute('/record/r14')
    expect(await screen.findByRole('alert')).toHaveTextContent('This could not be loaded.')
    serve()
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('1 of 1 check passed, simulation not checked')).toBeVisible()
  })
})
