import { act, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { api, type MapProgress } from '@/api'
import { MapGrid } from '@/entities/map/more/MapGrid'
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
    expect(await within(first as HTMLElement).findByRole('img', { name: /^Your best is at 00:44\.47/ })).toBeVisible()
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
      /00:44\.47Silver medal.*Rank 14$/,
      /^Your best is at 00:44\.47, 00:00\.73 short of the gold medal, 00:03\.20 short of the world record\. The course: Bronze medal at 01:01\.90, /,
    ],
    [
      'that the own time is the world record',
      played({ finishTime: 41_267, rank: 1, medal: 'author' }),
      /00:41\.27Author medal.*Rank 1$/,
      /^Your best is at 00:41\.27, as fast as the world record\. .*Author medal at 00:41\.27, which is the world record\.$/,
    ],
    ['a rank like other numbers', played({ rank: 1204 }), /#1,204Rank 1,204$/, /^Your best/],
    [
      'that it was not played',
      someProgress({ best: null }),
      /Not played yet$/,
      /^The course: Bronze medal at 01:01\.90, /,
    ],
    [
      'that only an older version was played',
      someProgress({ best: null, playedOlderVersion: true }),
      /Older version played$/,
      /^The course: /,
    ],
  ])('says %s', async (_, progress, text, course) => {
    serve([progress])
    open()
    await waitFor(async () => expect((await cards())[0]).toHaveTextContent(text))
    expect(screen.getAllByRole('img', { name: course })[0]).toBeVisible()
  })

  it('has no course where a map has neither medals nor a world record', async () => {
    serve([someProgress({ map: 'c', best: null, worldRecord: null })])
    const unfinished = aMap({ _id: 'c', medalTimes: { author: null, gold: null, silver: null, bronze: null } })
    renderPart(<MapGrid maps={[unfinished]} skeletons={1} />, { user: cloudstep })
    expect(await screen.findByText('Not played yet')).toBeVisible()
    expect(screen.queryByRole('img', { name: /^The course/ })).not.toBeInTheDocument()
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
    await screen.findByRole('img', { name: /^Your best is at 00:44\.47/ })
    serve([played({ finishTime: 43_700, rank: 9 })])
    const recordSubmission = { replayFile: new File(['x'], 'run.lbReplay') }
    await act(() => store.dispatch(api.endpoints.submitRecord.initiate({ recordSubmission })))
    expect(await screen.findByRole('img', { name: /^Your best is at 00:43\.70/ })).toBeVisible()
  })

  it('is that of the player who logs in next', async () => {
    serve([someProgress()])
    const { store } = open()
    await screen.findByRole('img', { name: /^Your best is at 00:44\.47/ })
    serve([someProgress({ best: null })])
    act(() => {
      store.dispatch(loggedOut())
    })
    expect(screen.queryByRole('img', { name: /^Your best/ })).not.toBeInTheDocument()
    act(() => {
      store.dispatch(loggedIn({ accessToken: 'other', user: { ...cloudstep, _id: 'other', name: 'mossfoot' } }))
    })
    expect(await screen.findByText('Not played yet')).toBeVisible()
    expect(screen.queryByRole('img', { name: /^Your best/ })).not.toBeInTheDocument()
  })
})
