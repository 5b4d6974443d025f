import { act, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { api, type MapProgress } from '@/api'
import { MapGrid } from '@/entities/map/MapGrid'
import { loggedIn, loggedOut } from '@/session/session'
import { aMap, cloudstep, someProgress } from '@/test/fixtures'
import { renderPart } from '@/test/render'
import { problem, server, url } from '@/test/server'

const asked: (string | null)[] = []
const maps = [aMap(), aMap({ _id: 'b', name: 'Moss Garden' })]

beforeEach(() => {
  asked.length = 0
})

function serve(data: MapProgress[]) {
  server.use(
    http.get(url('/records/progress'), ({ request }) => {
      asked.push(new URL(request.url).searchParams.get('maps'))
      return HttpResponse.json({ success: true, data })
    }),
  )
}

const open = (user = cloudstep) => renderPart(<MapGrid maps={maps} skeletons={2} />, { user })
const cards = () => screen.findAllByRole('article')

describe('the own progress on the cards of maps', () => {
  it('is asked for once for all maps of a page', async () => {
    serve([someProgress(), someProgress({ map: 'b', best: null })])
    open()
    const [first, second] = await cards()
    expect(await within(first as HTMLElement).findByText('00:44.47')).toBeVisible()
    expect(await within(second as HTMLElement).findByText('Not played yet')).toBeVisible()
    expect(asked).toEqual([`${aMap()._id},b`])
  })

  const best = someProgress().best
  const played = (change: Partial<NonNullable<typeof best>>, more: Partial<MapProgress> = {}) =>
    someProgress({ best: best && { ...best, ...change }, ...more })
  it.each([
    [
      'the best, the rank, and what is missing',
      someProgress(),
      /You00:44\.47Silver medal.*Rank 14.*-0\.73 s.*00:00\.73 short of the gold medal-3\.20 s00:03\.20 short of the w/,
    ],
    [
      'that the own time is the world record',
      played({ rank: 1, medal: 'author', toNextMedal: null, toWorldRecord: 0 }, { nextMedal: null }),
      /Rank 1YoursYour time is the world record$/,
    ],
    [
      'that the world record is equalled',
      played({ rank: 2, toWorldRecord: 0 }),
      /Rank 2.*gold medal0\.00 sYour time is the world record$/,
    ],
    ['a rank like other numbers', played({ rank: 1204 }), /#1,204Rank 1,204/],
    [
      'that the map has no medals',
      played({ medal: null, toNextMedal: null }, { nextMedal: null }),
      /You00:44\.47.*Rank 14No medals-3\.20 s/,
    ],
    [
      'that it was not played, and the easiest medal',
      someProgress({ best: null }),
      /Not played yet.*Gold medal at 00:43/,
    ],
    [
      'that only an older version was played',
      someProgress({ best: null, nextMedal: null, playedOlderVersion: true }),
      /Older version playedNo medals$/,
    ],
  ])('says %s', async (_, progress, text) => {
    serve([progress])
    open()
    await waitFor(async () => expect((await cards())[0]).toHaveTextContent(text))
  })

  it('is not asked for by visitors', async () => {
    serve([someProgress()])
    renderPart(<MapGrid maps={maps} skeletons={2} />)
    expect(await cards()).toHaveLength(2)
    expect(asked).toEqual([])
    expect(screen.queryByText('Not played yet')).not.toBeInTheDocument()
  })

  it('leaves the cards as they are where it fails', async () => {
    server.use(http.get(url('/records/progress'), () => problem(503)))
    const { store } = open()
    await waitFor(() =>
      expect(Object.values(store.getState().api.queries).map((query) => query?.status)).toEqual(['rejected']),
    )
    expect(await cards()).toHaveLength(2)
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
  })

  it('is asked for again after a submission', async () => {
    serve([someProgress()])
    server.use(
      http.post(url('/records/submit'), () =>
        HttpResponse.json({ success: true, data: { record: { map: maps[0]?._id, player: cloudstep._id } } }),
      ),
    )
    const { store } = open()
    await screen.findByText('00:44.47')
    serve([played({ finishTime: 43_700, rank: 9 })])
    const recordSubmission = { replayFile: new File(['x'], 'run.lbReplay') }
    await act(() => store.dispatch(api.endpoints.submitRecord.initiate({ recordSubmission })))
    expect(await screen.findByText('00:43.70')).toBeVisible()
  })

  it('is that of the player who logs in next', async () => {
    serve([someProgress()])
    const { store } = open()
    await screen.findByText('00:44.47')
    serve([someProgress({ best: null })])
    act(() => {
      store.dispatch(loggedOut())
    })
    expect(screen.queryByText('00:44.47')).not.toBeInTheDocument()
    act(() => {
      store.dispatch(loggedIn({ accessToken: 'other', user: { ...cloudstep, _id: 'other', name: 'mossfoot' } }))
    })
    expect(await screen.findByText('Not played yet')).toBeVisible()
    expect(screen.queryByText('00:44.47')).not.toBeInTheDocument()
  })
})
