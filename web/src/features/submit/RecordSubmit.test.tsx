import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { delay, HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { paths } from '@/routes/paths'
import { loggedOut } from '@/session/session'
import { aMap, aRecord, cloudstep, page } from '@/test/fixtures'
import { renderRoute } from '@/test/render'
import { aReplay } from '@/test/replays'
import { problem, server, url } from '@/test/server'

const skyline = aMap({ bonkDbId: 912044, bonkDBID: 912044 })
const submitted = {
  success: true,
  data: {
    record: { ...aRecord(), map: 'of-the-record', player: cloudstep._id },
    rank: 2,
    personalBest: true,
    equalsWorldRecord: false,
    previousBest: null,
    worldRecord: false,
  },
}

beforeEach(() => {
  server.use(
    http.get(url('/maps/search'), () => HttpResponse.json(page([]))),
    http.get(url('/maps/popular-tags'), () => HttpResponse.json({ success: true, data: [] })),
    http.get(url('/maps/:id'), () => HttpResponse.json({ success: true, data: skyline })),
    http.get(url('/records'), () => HttpResponse.json(page([]))),
  )
})

const send = async () => (await screen.findAllByRole('button', { name: 'Submit Record' })).at(-1) as HTMLElement
const choose = async (file: File) =>
  fireEvent.input(await screen.findByLabelText('Replay (.lbReplay)'), { target: { files: [file] } })

async function fill(path: string, file = aReplay()) {
  const view = renderRoute(path, { user: cloudstep })
  await choose(file)
  await screen.findByRole('heading', { name: 'Replay info' })
  return view
}

describe('the record page', () => {
  it('sends visitors to the login with a warning', async () => {
    server.use(http.get(url('/auth/request-room-link'), () => problem(503)))
    const { router } = renderRoute('/replay-submit')
    expect(await screen.findByText('You must be logged in to submit records.')).toBeVisible()
    await waitFor(() => expect(router.state.location.pathname).toBe('/login-with-bonk'))
    await screen.findByText('Error retrieving room link. Please try again.')
  })

  it('explains how to obtain a replay, and the rules', async () => {
    renderRoute('/replay-submit', { user: cloudstep })
    expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent(/^Submit Record$/)
    expect(screen.getByRole('button', { name: 'How to obtain a replay' })).toHaveAttribute('aria-expanded', 'true')
    for (const rule of [
      /can be up to 1 MB/,
      /your own gameplay/,
      /official replay mod, with no tools or edits/,
      /in real time/,
      /on validated maps/,
      /Violations may lead to warnings, removal or bans/,
    ]) {
      expect(screen.getByText(rule)).toBeVisible()
    }
  })

  it('has the name of the map in its title', async () => {
    renderRoute('/replay-submit/a', { user: cloudstep })
    expect(await screen.findByRole('heading', { level: 1, name: 'Submit Record for Skyline Run' })).toBeVisible()
    expect(document.title).toContain('Submit Record for Skyline Run')
  })

  it('says when the map cannot be loaded', async () => {
    server.use(
      http.get(url('/maps/:id'), async () => {
        // A page that is opened after an error asks again by itself.
        await vi.waitFor(() => screen.getByRole('heading', { level: 1 }), { timeout: 30_000 })
        return problem(500)
      }),
    )
    renderRoute('/replay-submit/a', { user: cloudstep })
    expect(await screen.findByRole('alert')).toHaveTextContent('Failed to load map data')
  })

  it.each([
    ['Invalid replay file format', () => new File(['<html>'], 'page.lbReplay')],
    ['File too large. Maximum size is 1 MB', () => new File([new Uint8Array((1 << 20) + 1)], 'a.lbReplay')],
  ])('shows the error of a replay: %s', async (message, file) => {
    renderRoute('/replay-submit', { user: cloudstep })
    await choose(file())
    expect((await screen.findAllByText(message))[0]).toBeVisible()
  })

  it.each([
    ['a form without a replay', '/replay-submit', null, 'Replay file is required'],
    ['a replay that is not validated', '/replay-submit', aReplay({ Validated: 'false' }), 'Replay must be validated'],
  ])('refuses %s', async (_, path, file, message) => {
    const { user } = renderRoute(path, { user: cloudstep })
    await screen.findByLabelText('Replay (.lbReplay)')
    if (file) {
      await choose(file)
      await screen.findByRole('heading', { name: 'Replay info' })
    }
    await user.click(await send())
    expect(await screen.findByText('Please fix the following errors')).toBeVisible()
    expect((await screen.findAllByText(message)).length).toBeGreaterThan(0)
    expect(await screen.findByText('Validation Error')).toBeVisible()
  })

  it('refuses a replay of another map than the selected one', async () => {
    server.use(http.get(url('/maps/:id'), () => HttpResponse.json({ success: true, data: aMap({ name: 'Rooftops' }) })))
    const { user } = await fill('/replay-submit/a')
    await screen.findByRole('heading', { name: 'Submit Record for Rooftops' })
    await user.click(await send())
    expect((await screen.findAllByText('This replay is not for the selected map "Rooftops"')).length).toBeGreaterThan(0)
  })

  it.each([
    ['the map of the route', '/replay-submit/of-the-route', submitted, '/leaderboard/of-the-route', 'of-the-route'],
    [
      'the map of the record where the route names none',
      '/replay-submit',
      submitted,
      '/leaderboard/of-the-record',
      null,
    ],
    [
      'the map search where neither names a map',
      '/replay-submit',
      { success: true, data: { record: {}, rank: 1 } },
      '/map-search',
      null,
    ],
  ])('leads after a record to %s', async (_, path, answer, target, field) => {
    let map: unknown
    server.use(
      http.post(url('/records/submit'), async ({ request }) => {
        map = (await request.formData()).get('map')
        return HttpResponse.json(answer, { status: 201 })
      }),
    )
    const { user, router } = await fill(path)
    await user.click(await send())
    expect(await screen.findByText('Record submitted successfully!')).toBeVisible()
    await waitFor(() => expect(router.state.location.pathname).toBe(target))
    expect(map).toBe(field)
  })

  it('opens the first page of the map of the route after a record of another version', async () => {
    server.use(
      http.get(url('/records'), () => HttpResponse.json(page([aRecord({ rank: 30, medal: 'bronze' })]))),
      http.post(url('/records/submit'), () =>
        HttpResponse.json({ success: true, data: { ...submitted.data, rank: 12 } }, { status: 201 }),
      ),
    )
    const { user, router } = await fill('/replay-submit/of-the-route')
    await user.click(await send())
    await waitFor(() => expect(router.state.location.pathname).toBe('/leaderboard/of-the-route'))
    expect(router.state.location.search).toBe('')
    expect(router.state.location.state).toMatchObject({ submitted: { previousRank: null } })
  })

  it('is sent also where what its banner compares it with is not answered', async () => {
    server.use(
      http.get(url('/records'), () => delay('infinite')),
      http.get(url('/players/:id/points'), () => delay('infinite')),
      http.post(url('/records/submit'), () => HttpResponse.json(submitted, { status: 201 })),
    )
    const { user, router } = await fill('/replay-submit/of-the-route')
    await user.click(await send())
    await waitFor(() => expect(router.state.location.pathname).toBe('/leaderboard/of-the-route'), { timeout: 10_000 })
  })

  it('says that the map of the address is unknown, and offers no form', async () => {
    server.use(http.get(url('/maps/:id'), () => problem(404, { code: 'map_unknown' })))
    renderRoute('/replay-submit/nothing', { user: cloudstep })
    await waitFor(() => expect(screen.getByText('Map not found')).toBeVisible())
    expect(screen.queryByLabelText('Replay (.lbReplay)')).not.toBeInTheDocument()
  })

  it('sends a record once', async () => {
    let times = 0
    let release = () => {}
    const answer = new Promise<void>((resolve) => {
      release = resolve
    })
    server.use(
      http.post(url('/records/submit'), async () => {
        times++
        await answer
        return HttpResponse.json(submitted, { status: 201 })
      }),
    )
    const { user, router } = await fill('/replay-submit')
    await user.dblClick(await send())
    fireEvent.submit(screen.getByRole('form'))
    await waitFor(() => expect(times).toBe(1))
    release()
    await waitFor(() => expect(router.state.location.pathname).toBe('/leaderboard/of-the-record'))
    expect(times).toBe(1)
  })

  it.each([
    [
      'the server’s sentence',
      () => problem(403, { message: 'This replay was recorded by another player.' }),
      'This replay was recorded by another player.',
    ],
    ['a fallback', () => problem(500), 'Failed to submit record'],
  ])('shows %s where a record is not taken', async (_, answer, message) => {
    server.use(http.post(url('/records/submit'), answer))
    const { user } = await fill('/replay-submit')
    await user.click(await send())
    expect((await screen.findAllByText(message))[0]).toBeVisible()
    expect(screen.getByText(/run\.lbReplay/)).toBeVisible()
  })

  it('keeps the form of somebody whose session has ended', async () => {
    const { user, store } = await fill('/replay-submit')
    act(() => {
      store.dispatch(loggedOut())
    })
    await user.click(await send())
    expect((await screen.findAllByText('You must be logged in to submit a record'))[0]).toBeVisible()
    expect(screen.getByText(/run\.lbReplay/)).toBeVisible()
  })

  it('leads to the record that exists already', async () => {
    server.use(
      http.post(url('/records/submit'), () =>
        problem(409, {
          code: 'replay_exists',
          message: 'This replay was submitted before.',
          data: { _id: 'old' },
        }),
      ),
    )
    const { user } = await fill('/replay-submit')
    await user.click(await send())
    expect((await screen.findAllByText('This replay was submitted before.'))[0]).toBeVisible()
    expect(screen.getByRole('link', { name: 'See the record that exists already' })).toHaveAttribute(
      'href',
      paths.record('old'),
    )
  })

  it('leads to the map page where the map is not submitted yet', async () => {
    server.use(
      http.post(url('/records/submit'), () =>
        problem(404, { code: 'map_unknown', message: 'Nobody has submitted this map yet.' }),
      ),
    )
    const { user } = await fill('/replay-submit')
    await user.click(await send())
    expect(await screen.findByRole('link', { name: 'Submit the map first' })).toHaveAttribute('href', '/map-submit')
  })

  it('explains versions where the map of the replay is another version', async () => {
    server.use(
      http.post(url('/records/submit'), () =>
        problem(422, { code: 'map_version_differs', message: 'The map was changed since.' }),
      ),
    )
    const { user } = await fill('/replay-submit')
    await user.click(await send())
    expect(await screen.findByRole('link', { name: 'Submit this version of the map first' })).toHaveAttribute(
      'href',
      '/map-submit',
    )
    expect(screen.getByText(/becomes a new version with a leaderboard of its own/)).toBeVisible()
  })
})
