import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { delay, HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { loggedOut } from '@/session/session'
import { aMap, cloudstep, page } from '@/test/fixtures'
import { renderRoute } from '@/test/render'
import { anImage, aReplay } from '@/test/replays'
import { problem, server, url } from '@/test/server'
import cases from '../../../../game/testdata/cases.json'

const withoutMode = cases.maps.find(({ name }) => name === 'no mode')?.encoded ?? ''
const mossfoot = { ...cloudstep, _id: '01900000-0000-7000-8000-000000000002', name: 'mossfoot' }

beforeEach(() => {
  URL.createObjectURL = vi.fn(() => 'blob:preview')
  URL.revokeObjectURL = vi.fn()
  server.use(
    http.get(url('/maps/:id'), () => HttpResponse.json({ success: true, data: aMap() })),
    http.get(url('/records'), () => HttpResponse.json(page([]))),
    http.post(url('/maps/drawing'), () => drawing()),
  )
})

const drawing = () => new HttpResponse('<svg/>', { headers: { 'Content-Type': 'image/svg+xml' } })

const send = () => screen.getByRole('button', { name: 'Submit for Validation' })
const replayInput = () => screen.findByLabelText('Replay (.lbReplay)')
const time = (name: string) => screen.getByRole('textbox', { name })
const imageInput = () => screen.getByLabelText('Map image (.webp)')

// choose picks a file as the picker would; what it offers is up to the browser.
const choose = (input: HTMLElement, file: File) => fireEvent.input(input, { target: { files: [file] } })

function drop(input: HTMLElement, file: File) {
  const dropzone = input.closest('[data-part=root]')?.querySelector('[data-part=dropzone]') as HTMLElement
  const webkitGetAsEntry = () => ({ isFile: true, isDirectory: false })
  const dataTransfer = {
    files: [file],
    types: ['Files'],
    items: [{ kind: 'file', type: file.type, getAsFile: () => file, webkitGetAsEntry }],
  }
  fireEvent.dragOver(dropzone, { dataTransfer })
  fireEvent.drop(dropzone, { dataTransfer })
}

async function fill(user = cloudstep) {
  const view = renderRoute('/map-submit', { user })
  choose(await replayInput(), aReplay())
  choose(imageInput(), anImage())
  await screen.findByRole('heading', { name: 'Replay info' })
  return view
}

async function describeMap(user: UserEvent) {
  await user.click(screen.getByLabelText('Description'))
  await user.paste('Over the roofs.')
}

// Where the form keeps what cloudstep typed.
const DRAFT = `capzone-map-draft-${cloudstep._id}`

describe('the map page', () => {
  it('sends visitors to the login with a warning', async () => {
    server.use(http.get(url('/auth/request-room-link'), () => problem(503)))
    const { router } = renderRoute('/map-submit')
    expect(await screen.findByText('Authentication Required')).toBeVisible()
    expect(screen.getByText('You must be logged in to validate maps.')).toBeVisible()
    await waitFor(() => expect(router.state.location.pathname).toBe('/login-with-bonk'))
    await screen.findByText('Error retrieving room link. Please try again.')
  })

  it('opens for a player who has logged in in another tab', async () => {
    server.use(
      http.get(url('/auth/refresh-token'), () =>
        HttpResponse.json({ success: true, accessToken: 'fresh', user: cloudstep }),
      ),
    )
    const { router } = renderRoute('/map-submit')
    expect(await screen.findByRole('heading', { name: 'Map Validation', level: 1 })).toBeVisible()
    expect(router.state.location.pathname).toBe('/map-submit')
    expect(screen.queryByText('Authentication Required')).not.toBeInTheDocument()
  })

  it('explains itself in sections that open and close', async () => {
    const { user } = renderRoute('/map-submit', { user: cloudstep })
    expect(await screen.findByRole('heading', { name: 'Map Validation', level: 1 })).toBeVisible()
    for (const name of ['How to submit a map', 'Rules']) {
      const section = screen.getByRole('button', { name })
      expect(section).toHaveAttribute('aria-expanded', 'false')
      await user.click(section)
      expect(section).toHaveAttribute('aria-expanded', 'true')
    }
    expect(screen.getByText(/can be up to 1MB/)).toBeInTheDocument()
    expect(screen.getByText(/WebP file under 1 MB/)).toBeInTheDocument()
    for (const rule of [
      /submitted by their authors, and by validators, who name the author/,
      /Only the author can set medal times/,
      /set once, at submission\. They cannot be changed afterwards/,
      /your own gameplay/,
      /official replay mod, with no tools or edits/,
      /in real time/,
      /on validated maps/,
      /Violations may lead to warnings, removal or bans/,
    ]) {
      expect(screen.getByText(rule)).toBeVisible()
    }
    expect(imageInput()).toHaveAttribute('accept', '.webp')
    expect(await replayInput()).toHaveAttribute('accept', '.lbReplay,text/plain,application/octet-stream')
  })

  it('asks for the mode where neither the map nor the replay names one', async () => {
    const sent: unknown[] = []
    const drawn: unknown[] = []
    server.use(
      http.post(url('/maps/submit'), async ({ request }) => {
        sent.push(JSON.parse(String((await request.formData()).get('metadata'))))
        return HttpResponse.json({ success: true, data: aMap() })
      }),
      http.post(url('/maps/drawing'), async ({ request }) => {
        drawn.push((await request.formData()).get('gameMode'))
        return drawing()
      }),
    )
    const { user } = renderRoute('/map-submit', { user: { ...mossfoot, roles: ['validator'] } })
    choose(
      await replayInput(),
      aReplay({ 'Game Mode': 'View v1.3.0+', 'Player Name': 'mossfoot', 'Map Data': withoutMode }),
    )
    choose(imageInput(), anImage())
    const mode = await screen.findByRole('combobox', { name: 'Game mode' })
    await user.click(send())
    await waitFor(() => expect(mode).toBeInvalid())
    await user.selectOptions(mode, 'Grapple')
    await waitFor(() => expect(drawn).toEqual([null, 'Grapple']))
    await user.click(screen.getByLabelText('Why the map has the wrong author on the site'))
    await user.paste('It is a copy.')
    await user.click(send())
    await waitFor(() => expect(sent).toMatchObject([{ gameMode: 'Grapple', wrongOwnerReason: 'It is a copy.' }]))
  })

  it('shows the content of the replay', async () => {
    await fill()
    const info = screen.getByRole('region', { name: 'Replay info' })
    const facts = within(info)
      .getAllByRole('term')
      .map((term) => [term.textContent, term.nextElementSibling?.textContent])
    expect(Object.fromEntries(facts)).toEqual({
      'Map name': 'Skyline Run',
      Author: 'cloudstep',
      'Game mode': 'Classic',
      'Game map id': '912044',
      'Player name': 'cloudstep',
      Level: '57',
      'Finish time': '00:41.27',
      Timestamp: expect.stringContaining('11 May 2026'),
      'Mod version': '1.3.0',
      'Game version': '49',
      Validated: 'Yes',
    })
    expect(screen.getByAltText('Preview of the map image')).toBeInTheDocument()
  })

  it('offers the author medal times that follow from the replay, the first for reading alone', async () => {
    await fill()
    expect(time('Author time')).toHaveValue('00:41.27')
    expect(time('Author time')).toHaveAttribute('readonly')
    expect(time('Gold medal time')).toHaveValue('00:43.73')
    expect(time('Silver medal time')).toHaveValue('00:49.53')
    expect(time('Bronze medal time')).toHaveValue('01:01.90')
  })

  it('offers medal times to the author alone, and attributes the map', async () => {
    await fill(mossfoot)
    expect(screen.queryByRole('textbox', { name: 'Author time' })).not.toBeInTheDocument()
    expect(screen.getByText(/will be attributed to them/)).toHaveTextContent('This map is by cloudstep')
  })

  it.each([
    ['Invalid replay file format', () => aReplay({ 'Finish Time': 'soon' })],
    ['File too large. Maximum size is 5 MB', () => new File([new Uint8Array((5 << 20) + 1)], 'a.lbReplay')],
  ])('shows the error of a replay: %s', async (message, file) => {
    renderRoute('/map-submit', { user: cloudstep })
    choose(await replayInput(), file())
    expect((await screen.findAllByText(message))[0]).toBeVisible()
    expect(await replayInput()).toHaveAccessibleDescription(expect.stringContaining(message))
    expect(screen.queryByRole('heading', { name: 'Replay info' })).not.toBeInTheDocument()
  })

  it.each([
    ['Invalid image type. Please use JPG, PNG or WebP', anImage('a.gif', 'image/gif')],
    ['File too large. Maximum size is 1 MB', anImage('a.webp', 'image/webp', (1 << 20) + 1)],
  ])('shows the error of an image: %s', async (message, file) => {
    renderRoute('/map-submit', { user: cloudstep })
    await replayInput()
    choose(imageInput(), file)
    expect((await screen.findAllByText(message))[0]).toBeVisible()
  })

  it('says that an image is damaged, until another is chosen', async () => {
    renderRoute('/map-submit', { user: cloudstep })
    await replayInput()
    choose(imageInput(), anImage())
    fireEvent.error(await screen.findByAltText('Preview of the map image'))
    expect(await screen.findByText('The image cannot be read. The file may be damaged.')).toBeVisible()
    expect(screen.queryByText(/map\.webp/)).not.toBeInTheDocument()
    choose(imageInput(), anImage('whole.webp'))
    expect(await screen.findByText(/whole\.webp/)).toBeVisible()
    expect(screen.queryByText(/may be damaged/)).not.toBeInTheDocument()
  })

  it('keeps the image before a file that cannot be one, and its error until the next change', async () => {
    const { user } = renderRoute('/map-submit', { user: cloudstep })
    await replayInput()
    choose(imageInput(), anImage())
    await screen.findByText(/map\.webp/)
    choose(imageInput(), anImage('a.gif', 'image/gif'))
    expect(await screen.findByText(/Invalid image type/)).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Remove map.webp' }))
    expect(screen.queryByText(/Invalid image type/)).not.toBeInTheDocument()
    choose(imageInput(), anImage())
    expect(await screen.findByText(/map\.webp/)).toBeVisible()
    expect(screen.queryByText(/Invalid image type/)).not.toBeInTheDocument()
  })

  it('keeps the image before a damaged one, unless that is damaged as well', async () => {
    renderRoute('/map-submit', { user: cloudstep })
    await replayInput()
    choose(imageInput(), anImage('first.webp'))
    await screen.findByText(/first\.webp/)
    choose(imageInput(), anImage('second.webp'))
    await screen.findByText(/second\.webp/)
    fireEvent.error(screen.getByAltText('Preview of the map image'))
    expect(await screen.findByText(/first\.webp/)).toBeVisible()
    expect(screen.getByText(/may be damaged/)).toBeVisible()
    fireEvent.error(screen.getByAltText('Preview of the map image'))
    await waitFor(() => expect(screen.queryByText(/first\.webp/)).not.toBeInTheDocument())
    expect(screen.getByText(/may be damaged/)).toBeVisible()
  })

  it('says when a replay could not be read at all', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    renderRoute('/map-submit', { user: cloudstep })
    const file = aReplay()
    file.arrayBuffer = () => Promise.reject(new Error('The disk is gone.'))
    choose(await replayInput(), file)
    await waitFor(() => expect(screen.getAllByText('Failed to process replay file')).toHaveLength(2))
  })

  it('waits with the button until the replay is read', async () => {
    renderRoute('/map-submit', { user: cloudstep })
    const file = aReplay()
    const bytes = await file.arrayBuffer()
    let arrive = (_: ArrayBuffer) => {}
    const reading = new Promise<ArrayBuffer>((resolve) => {
      arrive = resolve
    })
    file.arrayBuffer = () => reading
    choose(await replayInput(), file)
    await waitFor(() => expect(send()).toBeDisabled())
    fireEvent.submit(screen.getByRole('form'))
    expect(screen.queryByText('Replay file is required')).not.toBeInTheDocument()
    arrive(bytes)
    await waitFor(() => expect(send()).toBeEnabled())
    expect(screen.getByRole('heading', { name: 'Replay info' })).toBeVisible()
  })

  it('says nothing of a file that another has taken the place of', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    renderRoute('/map-submit', { user: cloudstep })
    const broken = aReplay({}, 'broken.lbReplay')
    let fail = (_: Error) => {}
    const reading = new Promise<never>((_, reject) => {
      fail = reject
    })
    broken.arrayBuffer = () => reading
    choose(await replayInput(), broken)
    choose(await replayInput(), aReplay())
    await screen.findByRole('heading', { name: 'Replay info' })
    fail(new Error('The disk is gone.'))
    await reading.catch(() => {})
    expect(screen.queryByText('Failed to process replay file')).not.toBeInTheDocument()
    expect(screen.getByText(/run\.lbReplay/)).toBeVisible()
    expect(logged).not.toHaveBeenCalled()
  })

  it('stays where a file is dropped beside its field', async () => {
    renderRoute('/map-submit', { user: cloudstep })
    await replayInput()
    const files = { files: [aReplay()], types: ['Files'] }
    expect(fireEvent.dragOver(document.body, { dataTransfer: files })).toBe(false)
    expect(fireEvent.drop(document.body, { dataTransfer: files })).toBe(false)
    expect(fireEvent.drop(document.body, { dataTransfer: { files: [], types: ['text/plain'] } })).toBe(true)
  })

  it('takes files that are dropped', async () => {
    renderRoute('/map-submit', { user: cloudstep })
    const input = await replayInput()
    drop(input, aReplay())
    expect(await screen.findByRole('heading', { name: 'Replay info' })).toBeVisible()
    drop(imageInput(), anImage('a.png', 'image/png'))
    expect(await screen.findByText(/a\.png/)).toBeVisible()
  })

  it('lists what is missing, and sends nothing', async () => {
    const sent = vi.fn(() => problem(500))
    server.use(http.post(url('/maps/submit'), sent))
    const { user } = renderRoute('/map-submit', { user: cloudstep })
    await replayInput()
    await user.click(send())
    const alert = (await screen.findByText('Please fix the following errors')).closest('[role=group]')
    expect(alert).toHaveTextContent('Replay file is required')
    expect(alert).toHaveTextContent('Map image is required')
    expect(alert).toHaveFocus()
    expect(await screen.findByText('Validation Error')).toBeVisible()
    expect(sent).not.toHaveBeenCalled()

    choose(imageInput(), anImage())
    await waitFor(() => expect(alert).not.toHaveTextContent('Map image is required'))
    expect(alert).toHaveTextContent('Replay file is required')
    choose(await replayInput(), aReplay())
    await waitFor(() => expect(alert).not.toBeInTheDocument())
  })

  it('asks the author for a medal time that was emptied', async () => {
    const { user } = await fill()
    await user.clear(time('Gold medal time'))
    await user.click(send())
    expect((await screen.findAllByText('Gold medal time is required')).length).toBeGreaterThan(0)
    expect(time('Gold medal time')).toBeInvalid()
  })

  it('checks the limits of tags and the order of medal times before it sends anything', async () => {
    const sent = vi.fn(() => problem(500))
    server.use(http.post(url('/maps/submit'), sent))
    const { user } = await fill()
    await user.click(screen.getByLabelText('Tags'))
    await user.paste('a,b,c,d,e,f,g,h,i,j,k')
    await user.clear(time('Silver medal time'))
    await user.type(time('Silver medal time'), '004200')
    await user.click(send())
    const alert = (await screen.findByText('Please fix the following errors')).closest('[role=group]')
    expect(alert).toHaveTextContent('A map has at most 10 tags.')
    expect(alert).toHaveTextContent('The silver time cannot be faster than the gold time.')
    expect(time('Silver medal time')).toBeInvalid()
    expect(sent).not.toHaveBeenCalled()
  })

  it('no longer says that a time is too fast once the time before it is faster', async () => {
    const { user } = await fill()
    await user.clear(time('Silver medal time'))
    await user.type(time('Silver medal time'), '004200')
    await user.click(send())
    await waitFor(() => expect(time('Silver medal time')).toBeInvalid())
    await user.clear(time('Gold medal time'))
    await user.type(time('Gold medal time'), '004150')
    await waitFor(() => expect(time('Silver medal time')).toBeValid())
    expect(screen.queryByText('Please fix the following errors')).not.toBeInTheDocument()
  })

  it('checks the role of a player who is not the author before it sends anything', async () => {
    const sent = vi.fn(() => problem(500))
    server.use(http.post(url('/maps/submit'), sent))
    const { user } = await fill({ ...mossfoot, roles: [] })
    await user.click(send())
    const alert = (await screen.findByText('Please fix the following errors')).closest('[role=group]')
    expect(alert).toHaveTextContent("Only the map's author or a validator can submit this map.")
    expect(sent).not.toHaveBeenCalled()
  })

  it('sends a map once, and goes to its leaderboard', async () => {
    const sent: FormData[] = []
    let release = () => {}
    const answer = new Promise<void>((resolve) => {
      release = resolve
    })
    server.use(
      http.post(url('/maps/submit'), async ({ request }) => {
        expect(request.headers.get('Authorization')).toBe('Bearer token')
        sent.push(await request.formData())
        await answer
        return HttpResponse.json({ success: true, data: aMap({ _id: 'new' }) }, { status: 201 })
      }),
    )
    const { user, router } = await fill()
    await describeMap(user)
    await user.type(screen.getByLabelText('Tags'), 'City{Enter}')
    await user.dblClick(send())
    fireEvent.submit(screen.getByRole('form'))
    await waitFor(() => expect(sent).toHaveLength(1))
    release()
    expect(await screen.findByText('Map validated successfully!')).toBeVisible()
    await waitFor(() => expect(router.state.location.pathname).toBe('/leaderboard/new'))
    expect(router.state.location.state).toEqual({ recordExpected: true })
    expect(sent).toHaveLength(1)
    const form = sent[0] as FormData
    expect(JSON.parse(String(form.get('metadata')))).toEqual({
      description: 'Over the roofs.',
      tags: ['city'],
      medalTimes: { author: 41267, gold: 43733, silver: 49533, bronze: 61900 },
    })
    expect((form.get('replayFile') as File).size).toBe(aReplay().size)
    expect((form.get('mapImage') as File).size).toBe(100)
  })

  it('leaves out an empty description and no tags, which an update keeps', async () => {
    let metadata: unknown
    server.use(
      http.post(url('/maps/submit'), async ({ request }) => {
        metadata = JSON.parse(String((await request.formData()).get('metadata')))
        return HttpResponse.json({ success: true, data: aMap({ _id: 'new' }) })
      }),
    )
    const { user, router } = await fill()
    await user.clear(screen.getByLabelText('Description'))
    await user.type(screen.getByLabelText('Description'), '  ')
    await user.click(send())
    await waitFor(() => expect(router.state.location.pathname).toBe('/leaderboard/new'))
    expect(metadata).toEqual({ medalTimes: { author: 41267, gold: 43733, silver: 49533, bronze: 61900 } })
  })

  it('sends a tag that was typed and not added', async () => {
    const sent: FormData[] = []
    server.use(
      http.post(url('/maps/submit'), async ({ request }) => {
        sent.push(await request.formData())
        return HttpResponse.json({ success: true, data: aMap({ _id: 'new' }) }, { status: 201 })
      }),
    )
    const { user, router } = await fill()
    await user.type(screen.getByLabelText('Tags'), 'city{Enter}Long, CITY')
    await user.click(send())
    await waitFor(() => expect(router.state.location.pathname).toBe('/leaderboard/new'))
    expect(JSON.parse(String(sent[0]?.get('metadata'))).tags).toEqual(['city', 'long'])
  })

  it('keeps what was typed over a reload of the page, for the same player', async () => {
    const before = renderRoute('/map-submit', { user: cloudstep })
    await before.user.type(await screen.findByLabelText('Description'), 'Roofs.')
    await before.user.type(screen.getByLabelText('Tags'), 'city{Enter}lo')
    before.unmount()

    const after = renderRoute('/map-submit', { user: cloudstep })
    expect(await screen.findByLabelText('Description')).toHaveValue('Roofs.')
    expect(screen.getByLabelText('Tags')).toHaveValue('lo')
    expect(screen.getByRole('button', { name: 'Remove tag city' })).toBeVisible()
    after.unmount()

    renderRoute('/map-submit', { user: { ...cloudstep, _id: 'other' } })
    expect(await screen.findByLabelText('Description')).toHaveValue('')
  })

  it('forgets what was typed once it is sent', async () => {
    server.use(
      http.post(url('/maps/submit'), () =>
        HttpResponse.json({ success: true, data: aMap({ _id: 'new' }) }, { status: 201 }),
      ),
    )
    const { user, router } = await fill()
    await user.type(screen.getByLabelText('Tags'), 'city')
    expect(sessionStorage.getItem(DRAFT)).toContain('city')
    await user.click(send())
    await waitFor(() => expect(router.state.location.pathname).toBe('/leaderboard/new'))
    expect(sessionStorage.getItem(DRAFT)).toBeNull()
  })

  it.each([
    '{',
    '7',
    '{"description": 1, "tags": {"tags": [], "typed": ""}}',
    '{"description": "Roofs.", "tags": {"tags": [1], "typed": ""}}',
    '{"description": "Roofs.", "tags": []}',
  ])('begins anew where the draft is %s', async (kept) => {
    sessionStorage.setItem(DRAFT, kept)
    renderRoute('/map-submit', { user: cloudstep })
    expect(await screen.findByLabelText('Description')).toHaveValue('')
  })

  it('shows that it is sending', async () => {
    server.use(http.post(url('/maps/submit'), () => delay('infinite')))
    const { user } = await fill()
    await user.click(send())
    expect(await screen.findByRole('progressbar')).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Sending…' })).toBeDisabled()
  })

  it('leaves a player on the page they went to, and reports that the map was accepted', async () => {
    let release = () => {}
    const answer = new Promise<void>((resolve) => {
      release = resolve
    })
    server.use(
      http.post(url('/maps/submit'), async () => {
        await answer
        return HttpResponse.json({ success: true, data: aMap({ _id: 'new' }) }, { status: 201 })
      }),
    )
    const { user, router } = await fill()
    await user.click(send())
    await act(() => router.navigate('/privacy'))
    release()
    expect(await screen.findByText('Map validated successfully!')).toBeVisible()
    expect(router.state.location.pathname).toBe('/privacy')
  })

  it('reports on another page that the map was refused, and why', async () => {
    let release = () => {}
    const answer = new Promise<void>((resolve) => {
      release = resolve
    })
    server.use(
      http.post(url('/maps/submit'), async () => {
        await answer
        return problem(409, { code: 'map_exists', message: 'This map was submitted before.' })
      }),
    )
    const { user, router } = await fill()
    await user.click(send())
    await act(() => router.navigate('/privacy'))
    release()
    expect(await screen.findByText('Failed to submit map for validation')).toBeVisible()
    expect(screen.getByText('This map was submitted before.')).toBeVisible()
    expect(router.state.location.pathname).toBe('/privacy')
  })

  it.each([
    [
      'the server’s sentence',
      problem(403, { code: 'replay_not_yours', message: 'This replay was recorded by another player.' }),
      'This replay was recorded by another player.',
    ],
    ['a fallback', problem(500), 'Failed to submit map for validation'],
    ['the same for a server that is away', HttpResponse.error(), 'Failed to submit map for validation'],
  ])('shows %s where a map is not taken, and keeps what was entered', async (_, answer, message) => {
    server.use(http.post(url('/maps/submit'), () => answer.clone()))
    const { user } = await fill()
    await describeMap(user)
    await user.click(send())
    expect((await screen.findAllByText(message))[0]).toBeVisible()
    expect(screen.getByLabelText('Description')).toHaveValue('Over the roofs.')
    expect(screen.getByText(/run\.lbReplay/)).toBeVisible()
    expect(send()).toBeEnabled()
  })

  it('lists what the server says of fields', async () => {
    server.use(
      http.post(url('/maps/submit'), () =>
        HttpResponse.json(
          {
            success: false,
            code: 'metadata_refused',
            message: 'Please fix the following errors',
            errors: [{ field: 'tags', message: 'A map has at most 10 tags.' }],
          },
          { status: 422 },
        ),
      ),
    )
    const { user } = await fill()
    await user.click(send())
    expect((await screen.findAllByText('A map has at most 10 tags.'))[0]).toBeVisible()
    expect(screen.getAllByText('Please fix the following errors')).toHaveLength(1)
  })

  it('leads to the map that exists already', async () => {
    server.use(
      http.post(url('/maps/submit'), () =>
        problem(409, { code: 'map_exists', message: 'This map was submitted before.', data: { _id: 'old' } }),
      ),
    )
    const { user } = await fill()
    await user.click(send())
    expect((await screen.findAllByText('This map was submitted before.'))[0]).toBeVisible()
    expect(screen.getByRole('link', { name: 'See the map that exists already' })).toHaveAttribute(
      'href',
      '/leaderboard/old',
    )
  })

  it('goes on after a token has expired in the middle', async () => {
    const tokens: (string | null)[] = []
    server.use(
      http.get(url('/auth/refresh-token'), () =>
        HttpResponse.json({ success: true, accessToken: 'fresh', user: cloudstep }),
      ),
      http.post(url('/maps/submit'), ({ request }) => {
        tokens.push(request.headers.get('Authorization'))
        return tokens.length === 1
          ? problem(401, { code: 'token_expired', message: 'Your session has expired. Please log in again.' })
          : HttpResponse.json({ success: true, data: aMap({ _id: 'new' }) }, { status: 201 })
      }),
    )
    const { user, router } = await fill()
    await user.click(send())
    await waitFor(() => expect(router.state.location.pathname).toBe('/leaderboard/new'))
    expect(tokens).toEqual(['Bearer token', 'Bearer fresh'])
  })

  it('keeps the form of somebody whose session has ended', async () => {
    server.use(
      http.post(url('/maps/submit'), () =>
        problem(401, { code: 'token_expired', message: 'Your session has expired. Please log in again.' }),
      ),
    )
    const { user, router } = await fill()
    await describeMap(user)
    await user.click(send())
    expect(await screen.findByText('Your session has expired. Please log in again.')).toBeVisible()
    await user.click(send())
    expect((await screen.findAllByText('You must be logged in to submit a map')).length).toBeGreaterThan(0)
    expect(router.state.location.pathname).toBe('/map-submit')
    expect(screen.getByLabelText('Description')).toHaveValue('Over the roofs.')
  })

  it('sends the medal times of an author whose session ended and was brought back by another tab', async () => {
    let metadata: unknown
    server.use(
      http.post(url('/maps/submit'), async ({ request }) => {
        metadata = (await request.formData()).get('metadata')
        return HttpResponse.json({ success: true, data: aMap({ _id: 'new' }) }, { status: 201 })
      }),
    )
    const { user, router, store } = await fill()
    await user.clear(time('Gold medal time'))
    await user.type(time('Gold medal time'), '004200')
    act(() => {
      store.dispatch(loggedOut())
    })
    expect(time('Gold medal time')).toHaveValue('00:42.00')
    server.use(
      http.get(url('/auth/refresh-token'), () =>
        HttpResponse.json({ success: true, accessToken: 'fresh', user: cloudstep }),
      ),
    )
    await user.click(send())
    await waitFor(() => expect(router.state.location.pathname).toBe('/leaderboard/new'))
    expect(JSON.parse(String(metadata)).medalTimes).toEqual({
      author: 41267,
      gold: 42000,
      silver: 49533,
      bronze: 61900,
    })
  })
})

describe('the drawing of the map', () => {
  const region = () => screen.findByRole('region', { name: 'Drawing of the map' })

  it('is shown and can be the picture instead of an upload', async () => {
    const sent: FormData[] = []
    const drawn = vi.fn(drawing)
    server.use(
      http.post(url('/maps/drawing'), drawn),
      http.post(url('/maps/submit'), async ({ request }) => {
        sent.push(await request.formData())
        return HttpResponse.json({ success: true, data: aMap({ _id: 'new' }) }, { status: 201 })
      }),
    )
    const { user, router } = renderRoute('/map-submit', { user: cloudstep })
    choose(await replayInput(), aReplay())
    expect(await within(await region()).findByRole('img', { name: 'The map of the replay' })).toHaveAttribute(
      'src',
      'blob:preview',
    )
    const button = screen.getByRole('button', { name: 'Use this picture', pressed: false })
    await user.click(button)
    expect(button).toHaveAttribute('aria-pressed', 'true')
    await user.click(send())
    await waitFor(() => expect(router.state.location.pathname).toBe('/leaderboard/new'))
    expect(sent[0]?.get('useDrawing')).toBe('true')
    expect(sent[0]?.has('mapImage')).toBe(false)
    expect(drawn).toHaveBeenCalledOnce()
  })

  it('is not the picture any more when an image is chosen', async () => {
    const { user } = renderRoute('/map-submit', { user: cloudstep })
    choose(await replayInput(), aReplay())
    await within(await region()).findByRole('img')
    await user.click(screen.getByRole('button', { name: 'Use this picture' }))
    choose(imageInput(), anImage())
    expect(await screen.findByRole('button', { name: 'Use this picture', pressed: false })).toBeVisible()
    expect(screen.getByText(/map\.webp/)).toBeVisible()
  })

  it('ends the error of a file that cannot be an image, and stays the picture when such a file is chosen', async () => {
    const { user } = renderRoute('/map-submit', { user: cloudstep })
    choose(await replayInput(), aReplay())
    await within(await region()).findByRole('img')
    choose(imageInput(), anImage('a.gif', 'image/gif'))
    expect(await screen.findByText(/Invalid image type/)).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Use this picture' }))
    await waitFor(() => expect(screen.queryByText(/Invalid image type/)).not.toBeInTheDocument())

    choose(imageInput(), anImage('a.gif', 'image/gif'))
    expect(await screen.findByText(/Invalid image type/)).toBeVisible()
    expect(screen.getByRole('button', { name: 'Use this picture', pressed: true })).toBeVisible()
  })

  it('stays the picture when a damaged image is chosen', async () => {
    const { user } = renderRoute('/map-submit', { user: cloudstep })
    choose(await replayInput(), aReplay())
    await within(await region()).findByRole('img')
    await user.click(screen.getByRole('button', { name: 'Use this picture' }))
    choose(imageInput(), anImage())
    fireEvent.error(await screen.findByAltText('Preview of the map image'))
    expect(await screen.findByText(/may be damaged/)).toBeVisible()
    expect(screen.getByRole('button', { name: 'Use this picture', pressed: true })).toBeVisible()
    expect(screen.queryByText(/map\.webp/)).not.toBeInTheDocument()
  })

  it('may be refused, and the form can be sent with an image', async () => {
    server.use(
      http.post(url('/maps/drawing'), () =>
        problem(422, { code: 'map_too_complex', message: 'The map has more than 10000 shapes.' }),
      ),
      http.post(url('/maps/submit'), () =>
        HttpResponse.json({ success: true, data: aMap({ _id: 'new' }) }, { status: 201 }),
      ),
    )
    const { user, router } = await fill()
    expect(await screen.findByText(/could not be drawn. The map has more than 10000 shapes\./)).toBeVisible()
    await user.click(send())
    await waitFor(() => expect(router.state.location.pathname).toBe('/leaderboard/new'))
  })
})

describe('a map that was changed', () => {
  it.each([
    ['a new version', { version: 2 }, 'It is version 2 of the map, with a leaderboard of its own.'],
    [
      'an update of its version',
      { version: 2, updatedAt: '2026-06-11T18:02:33.120Z' },
      'Version 2 was updated and keeps its records.',
    ],
  ])('becomes %s', async (_, change, text) => {
    server.use(
      http.get(url('/maps/:id/versions'), () => HttpResponse.json({ success: true, data: [] })),
      http.post(url('/maps/submit'), () =>
        HttpResponse.json({ success: true, data: aMap({ _id: 'new', ...change }) }, { status: 201 }),
      ),
    )
    const { user } = await fill()
    await user.click(send())
    expect(await screen.findByText('Map validated successfully!')).toBeVisible()
    expect(screen.getByText(text)).toBeVisible()
  })
})
