import { act, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { CaseDetail, CaseSummary, Decision, FlagKind } from '@/api/desk'
import { activateLocale } from '@/locales'
import type { User } from '@/session/session'
import { aCase, aCaseSummary, aDecision, ownClaim } from '@/test/deskFixtures'
import { aMap, cloudstep, mossfoot, page } from '@/test/fixtures'
import { paste, renderRoute } from '@/test/render'
import { problem, server, url } from '@/test/server'
import { untranslated } from '@/test/untranslated'
import { nextCase } from './caseQueries'

const moderator: User = { ...cloudstep, roles: ['moderator'] }
const admin: User = { ...cloudstep, roles: ['admin'] }
const first = aCaseSummary()

let asked: string[]
let sent: { method: string; path: string; body: unknown }[]
let detail: CaseDetail

// The desk keeps one case, which the requests change as the server does.
function serve(cases: CaseSummary[] = [first], change: Partial<CaseDetail> = {}) {
  detail = aCase(change)
  const note = async (request: Request) => {
    const text = await request.text()
    const path = new URL(request.url).pathname.replace('/api/v1', '')
    sent.push({ method: request.method, path, body: text ? JSON.parse(text) : null })
  }
  server.use(
    http.get(url('/desk/cases'), ({ request }) => {
      asked.push(new URL(request.url).search)
      return HttpResponse.json(page(cases, { total: 60, pages: 3, limit: 25 }))
    }),
    http.get(url('/desk/cases/:id'), () => HttpResponse.json({ success: true, data: detail })),
    http.get(url('/desk/flags/precision'), () =>
      HttpResponse.json({
        success: true,
        data: [{ kind: 'large_lead', judged: 50, confirmed: 31, silent: false }],
      }),
    ),
    http.post(url('/desk/cases/:id/claim'), async ({ request }) => {
      await note(request)
      detail = { ...detail, claim: ownClaim() }
      return HttpResponse.json({ success: true, data: detail.claim })
    }),
    http.delete(url('/desk/cases/:id/claim'), async ({ request }) => {
      await note(request)
      detail = { ...detail, claim: null }
      return new HttpResponse(null, { status: 204 })
    }),
    http.get(url('/desk/records/:id/verification'), () =>
      HttpResponse.json({
        success: true,
        data: {
          checkedAt: '2026-05-11T18:05:00.000Z',
          checks: [{ name: 'own_replay', result: 'passed', sentence: 'It is the own replay.' }],
          notChecked: [],
        },
      }),
    ),
    http.get(url('/maps/:id'), () => HttpResponse.json({ success: true, data: aMap() })),
  )
  return { note }
}

function serveDecision(made: Partial<Decision> = {}, after: Partial<CaseDetail> = { state: 'closed', claim: null }) {
  const { note } = serve([first], { claim: ownClaim() })
  server.use(
    http.post(url('/desk/cases/:id/decisions'), async ({ request }) => {
      await note(request)
      const decision = aDecision(made)
      detail = { ...detail, decisions: [decision], ...after }
      return HttpResponse.json({ success: true, data: decision }, { status: 201 })
    }),
    http.post(url('/desk/decisions/:id/undo'), async ({ request }) => {
      await note(request)
      const undo = aDecision({ _id: 'undo', kind: 'restore_record', undoes: aDecision()._id, undoable: false })
      detail = { ...detail, decisions: [undo, aDecision({ undoneBy: 'undo', undoable: false })] }
      return HttpResponse.json({ success: true, data: undo }, { status: 201 })
    }),
  )
}

const hiding = { records: 12, maps: 5, worldRecords: 2, givenBack: 1 }

const serveEffects = (path: string, data: object) =>
  server.use(http.get(url(path), () => HttpResponse.json({ success: true, data })))

beforeEach(() => {
  asked = []
  sent = []
  serveEffects('/records/:id/effects', {
    movedUp: 23,
    nextBest: false,
    worldRecord: true,
    nextWorldRecord: { _id: 'w', finishTime: 46_500, player: mossfoot },
    restoration: null,
  })
  serveEffects('/players/:id/records/effects', { hidden: false, ...hiding })
  serveEffects('/maps/:id/effects', {
    removed: false,
    records: 40,
    players: 24,
    medals: { author: 0, gold: 1, silver: 2, bronze: 3 },
  })
  serve()
})

const queue = async (path = '/desk', user = moderator) => {
  const view = renderRoute(path, { user })
  await screen.findByRole('heading', { level: 1 })
  return view
}

const openCase = async (user = moderator) => {
  const view = renderRoute(`/desk/cases/${first._id}`, { user })
  await screen.findByRole('heading', { level: 1, name: '00:38.10 by rain on Skyline Run' })
  return view
}

describe('the queue', () => {
  it('is for moderators and admins', async () => {
    await queue('/desk', cloudstep)
    expect(screen.getByRole('heading', { name: 'You may not open this page' })).toBeVisible()
    expect(asked).toEqual([])
  })

  it('lists cases with what they are about and who has them', async () => {
    serve([
      first,
      aCaseSummary({ _id: 'c2', flags: 0, claim: { player: mossfoot, until: '2026-05-11T20:15:00Z', mine: false } }),
    ])
    await queue()
    const rows = await screen.findAllByRole('row', { name: /00:38\.10 by rain on Skyline Run/ })
    expect(rows[0]).toHaveTextContent(/Record.*2 reports.*1 flag.*Not claimed/)
    expect(rows[1]).toHaveTextContent(/2 reports(?!.* flag).*By mossfoot, until 20:15/)
    expect(rows[1]).not.toHaveTextContent('false')
    expect(within(rows[0] as HTMLElement).getByRole('link')).toHaveAttribute('href', `/desk/cases/${first._id}`)
    expect(screen.getByText('60 cases')).toBeVisible()
    expect(asked[0]).toBe('?state=open&sort=priority&page=1&limit=25')
  })

  it('has its filters and its order in the address', async () => {
    const { user, router } = await queue('/desk?kind=record&page=2')
    await screen.findAllByRole('row', { name: /rain/ })
    expect(asked.at(-1)).toBe('?kind=record&state=open&sort=priority&page=2&limit=25')
    await user.selectOptions(screen.getByLabelText('Claimed'), 'Not claimed')
    expect(router.state.location.search).toBe('?kind=record&assigned=free')
    await waitFor(() =>
      expect(asked.at(-1)).toBe('?kind=record&state=open&assigned=free&sort=priority&page=1&limit=25'),
    )
    await user.click(screen.getByRole('button', { name: /Waiting time/ }))
    expect(router.state.location.search).toBe('?kind=record&assigned=free&sort=age')
    expect(screen.getByRole('columnheader', { name: /Waiting time/ })).toHaveAttribute('aria-sort', 'ascending')
    await user.selectOptions(screen.getByLabelText('State'), 'Closed')
    expect(screen.queryByLabelText('Claimed')).not.toBeInTheDocument()
    await waitFor(() => expect(asked.at(-1)).toBe('?kind=record&state=closed&sort=age&page=1&limit=25'))
  })

  it('says that it is empty, and loads again after a failure', async () => {
    serve([])
    server.use(http.get(url('/desk/cases'), () => HttpResponse.json(page([]))))
    await queue()
    expect(await screen.findByText('Nothing is waiting for you with these filters.')).toBeVisible()
  })

  it('opens the next case by a key, and lists the keys', async () => {
    const { user, router } = await queue()
    await screen.findAllByRole('row', { name: /rain/ })
    await user.keyboard('?')
    const keys = await screen.findByRole('dialog', { name: 'Keys of the desk' })
    expect(within(keys).getAllByRole('listitem')).toHaveLength(7)
    await user.keyboard('n')
    expect(router.state.location.pathname).toBe('/desk')
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    await user.keyboard('n')
    await waitFor(() => expect(router.state.location.pathname).toBe(`/desk/cases/${first._id}`))
  })

  it('moves through the rows by keys, and opens one by Enter', async () => {
    const { user, router } = await queue()
    const links = (await screen.findAllByRole('row', { name: /rain/ })).map(
      (row) => within(row).getAllByRole('link')[0],
    )
    await user.keyboard('j')
    expect(links[0]).toHaveFocus()
    await user.keyboard('jjjjjj')
    expect(links.at(-1)).toHaveFocus()
    await user.keyboard('kkkkkk')
    expect(links[0]).toHaveFocus()
    await user.keyboard('{Enter}')
    await waitFor(() => expect(router.state.location.pathname).toMatch(/^\/desk\/cases\//))
  })
})

it('the queue is not asked for again while the page is hidden', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  await queue()
  await screen.findAllByRole('row', { name: /rain/ })
  const before = asked.length
  const visibility = vi.spyOn(document, 'visibilityState', 'get')
  const turn = async (to: DocumentVisibilityState) => {
    visibility.mockReturnValue(to)
    act(() => void dispatchEvent(new Event('visibilitychange')))
    await act(() => vi.advanceTimersByTimeAsync(61_000))
  }
  await turn('hidden')
  expect(asked).toHaveLength(before)
  await turn('visible')
  await waitFor(() => expect(asked.length).toBeGreaterThan(before))
})

describe('the next case', () => {
  const other = { player: mossfoot, until: '2026-05-11T20:15:00Z', mine: false }
  const cases = [
    aCaseSummary({ _id: 'a' }),
    aCaseSummary({ _id: 'b', claim: other }),
    aCaseSummary({ _id: 'c' }),
    aCaseSummary({ _id: 'd', claim: ownClaim() }),
  ]

  it.each([
    [undefined, 'a'],
    ['gone', 'a'],
    ['a', 'c'],
    ['c', 'd'],
    ['d', 'a'],
  ])('after %s is %s', (current, next) => {
    expect(nextCase(cases, current)?._id).toBe(next)
  })

  it('is none where others have all', () => {
    expect(nextCase(cases.slice(1, 2), undefined)).toBeUndefined()
    expect(nextCase(cases.slice(0, 1), 'a')).toBeUndefined()
  })
})

describe('a case', () => {
  it('shows reports, flags with numbers, the record among its neighbours, its checks and the history', async () => {
    await openCase()
    const reports = within(screen.getByRole('list', { name: 'Reports' })).getAllByRole('listitem')
    expect(reports[0]).toHaveTextContent(
      /The replay was edited.*Nobody is that fast.*mossfoot.*75% of the last reports/,
    )
    expect(reports[1]).toHaveTextContent(/Played by somebody else.*few reports so far/)
    const flags = within(screen.getByRole('list', { name: 'Automatic flags' }))
    expect(await flags.findByText('31 of the last 50 of this kind confirmed')).toBeVisible()
    expect(flags.getByText('00:38.10 after 00:46.50: 18 % better, on a leaderboard of 24.')).toBeVisible()
    expect(screen.getByText('1 of 24')).toBeVisible()
    const neighbours = within(screen.getByRole('table', { name: 'Neighbours on the leaderboard' }))
    expect(neighbours.getByRole('row', { name: /mossfoot/ })).toHaveTextContent(/2.*mossfoot.*00:46\.50.*00:08\.40/)
    expect(screen.getByRole('button', { name: 'Download replay' })).toBeVisible()
    expect(await screen.findByText('It is the own replay.')).toBeVisible()
    expect(await screen.findByRole('img', { name: 'Drawing of Skyline Run' })).toBeVisible()
    const history = within(screen.getByRole('list', { name: 'Earlier decisions about the player' }))
    expect(history.getByText('Warned')).toBeVisible()
    expect(screen.getByRole('list', { name: 'Other cases about the player' })).toBeVisible()
  })

  it('has the replay, also of a removed record', async () => {
    const save = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
    URL.createObjectURL = vi.fn(() => 'blob:replay')
    URL.revokeObjectURL = vi.fn()
    const path = `/desk/records/${first.subject.id}/replay`
    server.use(http.get(url(path), () => HttpResponse.text('a replay'), { once: true }))
    const { user } = await openCase()
    await user.click(screen.getByRole('button', { name: 'Download replay' }))
    await waitFor(() => expect(save).toHaveBeenCalledOnce())

    server.use(http.get(url(path), () => problem(404, { message: 'There is no such record.' })))
    await user.click(screen.getByRole('button', { name: 'Download replay' }))
    expect(await screen.findByText('There is no such record.')).toBeVisible()
    expect(save).toHaveBeenCalledOnce()
  })

  it('says that the record cannot be loaded', async () => {
    serve([first], { record: null, recordUnavailable: true })
    await openCase()
    expect(screen.getByRole('alert')).toHaveTextContent('The details of the record cannot be loaded right now.')
  })

  it('says how old the account of a first record was', async () => {
    const numbers = { accountHours: 1, rank: 2, finishers: 24 }
    serve([first], { flags: [{ ...aCase().flags[0]!, kind: 'new_account', numbers }] })
    await openCase()
    expect(screen.getByText('Place 2 of 24, 1 hour after the account was created.')).toBeVisible()
  })

  it('has flags of a kind that this page does not know', async () => {
    serve([first], { flags: [{ ...aCase().flags[0]!, kind: 'of_a_newer_server' as FlagKind }] })
    await openCase()
    expect(screen.getByText('of_a_newer_server')).toBeVisible()
    expect(screen.getByText('This page has no text for this kind of flag.')).toBeVisible()
  })

  it('may be unknown', async () => {
    server.use(http.get(url('/desk/cases/:id'), () => problem(404, { code: 'case_unknown' })))
    renderRoute('/desk/cases/x', { user: moderator })
    await waitFor(() => expect(screen.getByText('Case not found')).toBeVisible())
  })

  it('is claimed and given back, by button and by key', async () => {
    const { user } = await openCase()
    expect(screen.queryByRole('form', { name: 'Decision' })).not.toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: /^Claim/ }))
    await waitFor(() => expect(screen.getByRole('combobox', { name: 'Decision' })).toHaveFocus())
    expect(screen.getByText(/By you, until/)).toBeVisible()
    await user.click(screen.getByRole('button', { name: /^Give back/ }))
    await waitFor(() => expect(screen.getByRole('button', { name: /^Claim/ })).toHaveFocus())
    await user.click(await screen.findByRole('heading', { level: 1 }))
    await user.keyboard('c')
    expect(await screen.findByRole('form', { name: 'Decision' })).toBeVisible()
    await user.keyboard('d')
    expect(screen.getByRole('combobox', { name: 'Decision' })).toHaveFocus()
    expect(sent.map(({ method, body }) => [method, body])).toEqual([
      ['POST', {}],
      ['DELETE', null],
      ['POST', {}],
    ])
  })

  it('is claimed by key also after the inbox was opened and closed', async () => {
    const { user } = await openCase()
    await user.click(await screen.findByRole('button', { name: 'Inbox' }))
    expect(await screen.findByRole('dialog', { name: 'Inbox' })).toBeVisible()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Inbox' })).not.toBeInTheDocument())
    await user.keyboard('c')
    expect(await screen.findByRole('form', { name: 'Decision' })).toBeVisible()
  })

  it('that another has claimed first says who', async () => {
    const { user } = await openCase()
    server.use(
      http.post(url('/desk/cases/:id/claim'), () =>
        problem(409, { code: 'case_claimed', message: 'mossfoot has this case until 20:15.' }),
      ),
    )
    await user.click(screen.getByRole('button', { name: /^Claim/ }))
    expect(await screen.findByText('mossfoot has this case until 20:15.')).toBeVisible()
  })

  it('of another moderator is taken over by an admin alone', async () => {
    const claim = { player: mossfoot, until: '2026-05-11T20:15:00Z', mine: false }
    serve([first], { claim })
    const { unmount } = await openCase()
    expect(screen.getByText(/until 20:15/)).toHaveTextContent('By mossfoot, until 20:15')
    expect(screen.queryByRole('button', { name: 'Take over' })).not.toBeInTheDocument()
    unmount()
    const { user } = await openCase(admin)
    await user.click(screen.getByRole('button', { name: 'Take over' }))
    await waitFor(() => expect(sent).toMatchObject([{ body: { override: true } }]))
  })

  it.each([
    ['own', 'This case is about you. Somebody else decides it.'],
    ['reporter', 'You reported this. Somebody else decides it.'],
    ['neighbour', 'Your own record is next to this one on its leaderboard. Somebody else decides it.'],
  ] as const)('with the conflict of interest "%s" is not offered', async (conflict, sentence) => {
    serve([first], { conflict })
    const { user } = await openCase()
    expect(screen.getByText(sentence)).toBeVisible()
    expect(screen.queryByRole('button', { name: /^Claim/ })).not.toBeInTheDocument()
    await user.keyboard('c')
    expect(sent).toEqual([])
  })

  it('leads to the next one and back to the queue by keys', async () => {
    serve([first, aCaseSummary({ _id: 'second' })])
    const { user, router } = await queue('/desk?kind=record')
    const [row] = await screen.findAllByRole('row', { name: /rain/ })
    await user.click(row as HTMLElement)
    await waitFor(() => expect(router.state.location.pathname).toBe(`/desk/cases/${first._id}`))
    await screen.findByRole('button', { name: 'Next case' })
    await user.keyboard('n')
    await waitFor(() => expect(router.state.location.pathname).toBe('/desk/cases/second'))
    await screen.findByRole('button', { name: 'Next case' })
    await user.keyboard('u')
    await waitFor(() => expect(router.state.location.pathname).toBe('/desk'))
    expect(router.state.location.search).toBe('?kind=record')
  })

  it('stays where the moderator does something else before the next one is known', async () => {
    const { user, router } = await openCase()
    let answer = () => {}
    const answered = new Promise<void>((resolve) => (answer = resolve))
    server.use(
      http.get(url('/desk/cases'), async () => {
        await answered
        asked.push('late')
        return HttpResponse.json(page([first, aCaseSummary({ _id: 'second' })]))
      }),
    )
    await user.keyboard('n')
    await user.click(screen.getByRole('heading', { level: 1 }))
    answer()
    await waitFor(() => expect(asked.at(-1)).toBe('late'))
    await act(async () => {})
    expect(router.state.location.pathname).toBe(`/desk/cases/${first._id}`)
  })

  it('leads to one of another page of the queue where none of this page waits', async () => {
    const claim = { player: mossfoot, until: '2026-05-11T20:15:00Z', mine: false }
    const claimed = aCaseSummary({ _id: 'claimed', claim })
    const pages = [[aCaseSummary({ _id: 'free' })], [first, claimed], [claimed]]
    server.use(
      http.get(url('/desk/cases'), ({ request }) => {
        const number = Number(new URL(request.url).searchParams.get('page'))
        asked.push(String(number))
        return HttpResponse.json(page(pages[number - 1] ?? [], { total: 60, pages: 3, limit: 25 }))
      }),
    )
    const { user, router } = await queue('/desk?page=2')
    const [row] = await screen.findAllByRole('row', { name: /rain/ })
    await user.click(row as HTMLElement)
    await waitFor(() => expect(router.state.location.pathname).toBe(`/desk/cases/${first._id}`))
    pages[0] = [claimed]
    asked = []
    await user.click(await screen.findByRole('button', { name: 'Next case' }))
    expect(await screen.findByText('No other case in this list is waiting for you.')).toBeVisible()
    expect(asked).toEqual(['2', '1', '3'])
    pages[2] = [aCaseSummary({ _id: 'free' })]
    await user.click(screen.getByRole('button', { name: 'Next case' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/desk/cases/free'))
  })
})

describe('a decision', () => {
  it('is written while the claim is renewed, and kept when it ends', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => {
      vi.useRealTimers()
      sessionStorage.clear()
    })
    serve([first], { claim: ownClaim() })
    const { user, unmount } = await openCase()
    const why = await screen.findByLabelText('Why')
    await paste(user, why, 'The inputs')
    expect(sent).toEqual([])
    vi.setSystemTime(Date.now() + 6 * 60_000)
    await user.type(why, ' do not')
    await waitFor(() => expect(sent.map(({ path }) => path)).toEqual([`/desk/cases/${first._id}/claim`]))
    unmount()
    await openCase()
    expect(await screen.findByLabelText('Why')).toHaveValue('The inputs do not')
  })

  const fill = async (kind: string) => {
    const view = await openCase()
    const form = within(await screen.findByRole('form', { name: 'Decision' }))
    await view.user.selectOptions(form.getByLabelText('Decision'), kind)
    await view.user.selectOptions(form.getByLabelText('Public reason'), 'The replay was edited')
    await paste(view.user, form.getByLabelText('Why'), 'The inputs do not lead to its time.')
    const review = () => view.user.click(form.getByRole('button', { name: 'Review and decide' }))
    const decide = async () => {
      const dialog = within(await screen.findByRole('alertdialog', { name: kind }))
      await view.user.click(dialog.getByRole('button', { name: kind }))
    }
    return { ...view, form, review, decide }
  }

  it('offers what applies, and says what it does before it is made', async () => {
    serveDecision()
    const { user, form, review } = await fill('Remove the record')
    expect(form.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(
      expect.arrayContaining(['Dismiss', 'Remove the record', 'Warn the player', 'Ban the player']),
    )
    expect(form.queryByRole('option', { name: 'Merge into another player' })).not.toBeInTheDocument()
    await review()
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Remove the record' }))
    const text = dialog.getByText(/is removed from the leaderboard/)
    expect(text).toHaveTextContent('00:38.10 by rain on Skyline Run is removed from the leaderboard.')
    expect(untranslated(text)).toEqual(['00:38.10', 'rain', 'Skyline Run'])
    const changes = within(await dialog.findByRole('list', { name: 'What it changes' }))
    expect(changes.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Removes 1 record.',
      'Gives the world record back to mossfoot (00:46.50).',
      '23 players move up.',
    ])
    expect(sent).toEqual([])
    await user.click(dialog.getByRole('button', { name: 'Remove the record' }))
    expect(await screen.findByText('Decided and carried out')).toBeVisible()
    expect(sent.at(-1)).toMatchObject({
      path: `/desk/cases/${first._id}/decisions`,
      body: { kind: 'remove_record', publicReason: 'edited', text: 'The inputs do not lead to its time.' },
    })
    expect(await screen.findByText('The case is closed.')).toBeVisible()
    await waitFor(() => expect(screen.getByRole('region', { name: 'Decision' })).toHaveFocus())
    const made = within(screen.getByRole('list', { name: 'Decisions of this case' }))
    expect(made.getByText('Carried out')).toBeVisible()
  })

  it('is not made where the moderator thinks again', async () => {
    serveDecision()
    const { user, review } = await fill('Dismiss')
    await review()
    await user.click(await screen.findByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument())
    expect(sent).toEqual([])
  })

  it('needs a kind, a public reason and a text', async () => {
    serveDecision()
    const { user } = await openCase()
    await user.click(await screen.findByRole('button', { name: 'Review and decide' }))
    expect((await screen.findAllByText('Choose the public reason')).length).toBeGreaterThan(0)
    expect(screen.getAllByText('Say why in at least 10 characters.').length).toBeGreaterThan(0)
    expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument()
  })

  it.each([
    [
      'Ban the player',
      'ban',
      ['Hides 12 records on 5 leaderboards.', 'Takes 2 world records; 1 of them goes to another player.'],
    ],
    ['Remove the map', 'remove_map', ['Removes 40 records of 24 players.']],
    ['Unrank the map', 'unrank_map', ['40 records of 24 players give no points.']],
  ] as const)('to "%s" says what it changes in numbers', async (label, kind, sentences) => {
    serveDecision({ kind })
    detail = { ...detail, allowed: [kind] }
    const { review } = await fill(label)
    await review()
    const changes = within(await screen.findByRole('list', { name: 'What it changes' }))
    expect(changes.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(sentences)
  })

  it('can be made where the numbers cannot be loaded', async () => {
    serveDecision()
    server.use(http.get(url('/records/:id/effects'), () => problem(503)))
    const { review, decide } = await fill('Remove the record')
    await review()
    expect(await screen.findByText('The numbers of what it changes could not be loaded.')).toBeVisible()
    await decide()
    await waitFor(() => expect(sent).toHaveLength(1))
  })

  it('to ban has an end, and says whether records are hidden', async () => {
    serveDecision({ kind: 'ban' })
    const { user, form, review, decide } = await fill('Ban the player')
    await user.selectOptions(form.getByLabelText('How long'), '30 days')
    await user.selectOptions(form.getByLabelText('Records'), 'Keep them visible')
    const before = Date.now()
    await review()
    await decide()
    await waitFor(() => expect(sent).toHaveLength(1))
    const { until, ...body } = (sent[0] as { body: { until: string } }).body
    expect(body).toMatchObject({ kind: 'ban', keepRecords: true })
    expect(Date.parse(until) - before).toBeGreaterThanOrEqual(30 * 86_400_000)
  })

  it('to ban until a day needs one after today', async () => {
    serveDecision({ kind: 'ban' })
    const { user, form, review, decide } = await fill('Ban the player')
    await user.selectOptions(form.getByLabelText('How long'), 'Until a date')
    await user.type(form.getByLabelText('Ban ends on'), '2020-01-01')
    await review()
    expect((await screen.findAllByText(/Choose a day after today/)).length).toBeGreaterThan(0)
    await user.selectOptions(form.getByLabelText('How long'), 'Permanently')
    await review()
    await decide()
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(sent[0]?.body).not.toHaveProperty('until')
  })

  it('to merge needs the other player', async () => {
    serveDecision({ kind: 'merge' })
    detail = { ...detail, allowed: ['merge'] }
    server.use(http.get(url('/players/search'), () => HttpResponse.json(page([mossfoot]))))
    const { user, form, review, decide } = await fill('Merge into another player')
    await review()
    expect((await screen.findAllByText('Choose the player to merge this one into')).length).toBeGreaterThan(0)
    await user.type(form.getByLabelText('Merge into'), 'moss')
    await user.click(await form.findByRole('button', { name: 'mossfoot' }))
    await review()
    expect(await screen.findByText(/^All records and maps/)).toHaveTextContent(
      'All records and maps of rain become those of mossfoot. This cannot be undone.',
    )
    await decide()
    await waitFor(() => expect(sent).toMatchObject([{ body: { kind: 'merge', intoId: mossfoot._id } }]))
  })

  it('to merge goes to no player who is not shown any more', async () => {
    serveDecision({ kind: 'merge' })
    detail = { ...detail, allowed: ['warn', 'merge'] }
    server.use(http.get(url('/players/search'), () => HttpResponse.json(page([mossfoot]))))
    const { user, form, review } = await fill('Merge into another player')
    const isRefused = async () => {
      await review()
      expect((await screen.findAllByText('Choose the player to merge this one into')).length).toBeGreaterThan(0)
      expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument()
    }
    const choose = async () => {
      await user.clear(form.getByLabelText('Merge into'))
      await user.type(form.getByLabelText('Merge into'), 'moss')
      await user.click(await form.findByRole('button', { name: 'mossfoot' }))
      expect(form.getByText('Chosen: mossfoot')).toBeVisible()
      expect(form.getByLabelText('Merge into')).toHaveValue('mossfoot')
    }
    await choose()
    await user.clear(form.getByLabelText('Merge into'))
    await user.type(form.getByLabelText('Merge into'), 'pebble')
    expect(form.queryByText('Chosen: mossfoot')).not.toBeInTheDocument()
    await isRefused()
    await choose()
    await user.selectOptions(form.getByLabelText('Decision'), 'Warn the player')
    await user.selectOptions(form.getByLabelText('Decision'), 'Merge into another player')
    expect(form.getByLabelText('Merge into')).toHaveValue('')
    await isRefused()
    expect(sent).toEqual([])
  })

  it('is not made by Enter in the search for the other player', async () => {
    serveDecision({ kind: 'merge' })
    detail = { ...detail, allowed: ['merge'] }
    server.use(http.get(url('/players/search'), () => HttpResponse.json(page([mossfoot]))))
    const { user, form } = await fill('Merge into another player')
    await user.type(form.getByLabelText('Merge into'), 'moss{Enter}')
    await form.findByRole('button', { name: 'mossfoot' })
    expect(screen.queryAllByText('Choose the player to merge this one into')).toEqual([])
    await user.keyboard('{Enter}')
    expect(form.getByText('Chosen: mossfoot')).toBeVisible()
    expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument()
  })

  it('that is being carried out shows how it ended', async () => {
    serveDecision({ state: 'pending', undoable: false })
    const { review, decide } = await fill('Remove the record')
    await review()
    await decide()
    expect(await screen.findByText('Being carried out')).toBeVisible()
    const refusal = { code: 'record_removed', message: 'The record was removed already.' }
    detail = { ...detail, decisions: [aDecision({ state: 'refused', refusal, undoable: false })] }
    expect(await screen.findByText('The record was removed already.')).toBeVisible()
    expect(screen.getByText('Refused')).toBeVisible()
  })

  it('that was refused says why in the active locale', async () => {
    activateLocale('en', { 'server.already_removed': 'Schon entfernt.' })
    onTestFinished(() => activateLocale('en'))
    const refusal = { code: 'already_removed', message: 'The map was removed already.' }
    serveDecision({ state: 'refused', refusal, undoable: false }, { claim: null })
    const { review, decide } = await fill('Remove the record')
    await review()
    await decide()
    // In the toast and in the list.
    await waitFor(() => expect(screen.getAllByText('Schon entfernt.')).toHaveLength(2))
    expect(screen.getByText('The decision was refused').closest('[data-part=root]')).toHaveAttribute(
      'data-type',
      'error',
    )
  })

  it('that was refused keeps its text for the next one', async () => {
    const refusal = { code: 'record_removed', message: 'The record was removed already.' }
    serveDecision({ state: 'refused', refusal, undoable: false }, { claim: null })
    const { user, review, decide } = await fill('Remove the record')
    await review()
    await decide()
    // The case is open again, and no moderator has claimed it.
    await user.click(await screen.findByRole('button', { name: /^Claim/ }))
    expect(await screen.findByLabelText('Why')).toHaveValue('The inputs do not lead to its time.')
  })

  it("shows the server's refusal in the form", async () => {
    serveDecision()
    const { form, review, decide } = await fill('Remove the record')
    server.use(
      http.post(url('/desk/cases/:id/decisions'), () =>
        problem(422, { code: 'decision_not_applicable', message: 'The record is removed already.' }),
      ),
    )
    await review()
    await decide()
    await waitFor(() => expect(form.getByLabelText('Decision')).toBeInvalid())
  })

  it.each([
    ['public_reason', 'Remove the record', 'Public reason'],
    ['decision_text', 'Remove the record', 'Why'],
    ['ban_until', 'Ban the player', 'How long'],
    ['merge_into', 'Merge into another player', 'Merge into'],
  ])('shows the refusal %s at its field', async (code, kind, label) => {
    serveDecision()
    detail = { ...detail, allowed: ['remove_record', 'ban', 'merge'] }
    server.use(
      http.get(url('/players/search'), () => HttpResponse.json(page([mossfoot]))),
      http.post(url('/desk/cases/:id/decisions'), () => problem(422, { code, message: 'Something else, please.' })),
    )
    const { user, form, review, decide } = await fill(kind)
    if (code === 'merge_into') {
      await user.type(form.getByLabelText('Merge into'), 'moss')
      await user.click(await form.findByRole('button', { name: 'mossfoot' }))
    }
    await review()
    await decide()
    await waitFor(() => expect(form.getByLabelText(label)).toBeInvalid())
    expect(form.getByLabelText(label)).toHaveAccessibleDescription(/^Something else, please\./)
  })

  it('to ban until a day shows the refusal of that day at its field', async () => {
    serveDecision()
    server.use(
      http.post(url('/desk/cases/:id/decisions'), () => problem(422, { code: 'ban_until', message: 'Later.' })),
    )
    const { user, form, review, decide } = await fill('Ban the player')
    await user.selectOptions(form.getByLabelText('How long'), 'Until a date')
    await user.type(
      form.getByLabelText('Ban ends on'),
      new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10),
    )
    await review()
    await decide()
    await waitFor(() => expect(form.getByLabelText('Ban ends on')).toBeInvalid())
    expect(form.getByLabelText('How long')).toBeValid()
  })

  const loser = { _id: 'w', finishTime: 46_500, player: mossfoot }
  const serveRestoration = (restoration: object) =>
    serveEffects('/records/:id/effects', {
      movedUp: 0,
      nextBest: false,
      worldRecord: false,
      nextWorldRecord: null,
      restoration,
    })

  it.each([
    [
      'restore_record',
      { rank: null, movedDown: 0, worldRecord: false, presentWorldRecord: null },
      ['Restores 1 record, which takes no place on the leaderboard.'],
    ],
    [
      'restore_record',
      { rank: 1, movedDown: 1, worldRecord: true, presentWorldRecord: null },
      ['Restores 1 record in place 1.', 'It is the world record of the map again.', '1 player moves down.'],
    ],
  ] as const)('to %s of %j says what it changes', async (kind, restoration, sentences) => {
    serveDecision()
    serveRestoration(restoration)
    detail = { ...detail, allowed: [kind] }
    const { review } = await fill('Restore the record')
    await review()
    const list = within(await screen.findByRole('list', { name: 'What it changes' }))
    expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(sentences)
  })

  it.each([
    [true, ['Shows 12 records on 5 leaderboards.', "Gives back 2 world records; 1 of them is another player's now."]],
    [false, ['No records are hidden.']],
  ])('to unban a player who is hidden (%s) says what it changes', async (hidden, sentences) => {
    serveDecision()
    serveEffects('/players/:id/records/effects', { hidden, ...hiding })
    detail = { ...detail, allowed: ['unban'] }
    const { review } = await fill('Lift the ban')
    await review()
    const list = within(await screen.findByRole('list', { name: 'What it changes' }))
    expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(sentences)
  })

  it('to ban a player with one world record says to whom it goes', async () => {
    serveDecision({ kind: 'ban' })
    const one = { records: 1, maps: 1, worldRecords: 1, givenBack: 0 }
    serveEffects('/players/:id/records/effects', { hidden: false, ...one })
    const { review } = await fill('Ban the player')
    await review()
    const list = within(await screen.findByRole('list', { name: 'What it changes' }))
    expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Hides 1 record on 1 leaderboard.',
      'Takes 1 world record, which goes to nobody.',
    ])
  })

  it.each([
    ['restore_map', 'Restore the map', 'Restores 40 records of 24 players.'],
    ['rank_map', 'Rank the map again', '40 records of 24 players give points again.'],
  ] as const)('to %s says what it changes', async (kind, name, sentence) => {
    serveDecision()
    detail = { ...detail, allowed: [kind] }
    const { review } = await fill(name)
    await review()
    expect(await screen.findByText(sentence)).toBeVisible()
  })

  it('is undone with a reason', async () => {
    serveDecision()
    detail = { ...detail, state: 'closed', claim: null, decisions: [aDecision()] }
    serveRestoration({ rank: 1, movedDown: 23, worldRecord: true, presentWorldRecord: loser })
    const { user } = await openCase()
    await user.click(screen.getByRole('button', { name: 'Undo: Record removed' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Undo: Record removed' }))
    expect(await dialog.findByText('Restores 1 record in place 1.')).toBeVisible()
    const taken = dialog.getByText(/Takes the world record/)
    expect(taken).toHaveTextContent('Takes the world record from mossfoot (00:46.50).')
    expect(untranslated(taken)).toEqual(['mossfoot', '00:46.50'])
    expect(dialog.getByText('23 players move down.')).toBeVisible()
    expect(dialog.getByText(/is shown again/)).toHaveTextContent(
      '00:38.10 by rain on Skyline Run is shown again, in its old place.',
    )
    await paste(user, dialog.getByLabelText('Why'), 'The video shows the run.')
    await user.click(dialog.getByRole('button', { name: 'Undo the decision' }))
    expect(await screen.findByText('Record restored')).toBeVisible()
    expect(sent.at(-1)).toMatchObject({
      path: `/desk/decisions/${aDecision()._id}/undo`,
      body: { publicReason: 'mistake', text: 'The video shows the run.' },
    })
    expect(screen.queryByRole('button', { name: /^Undo/ })).not.toBeInTheDocument()
  })
})

describe('an undo', () => {
  it('that is refused says why, and keeps its text', async () => {
    serveDecision()
    const refusal = { code: 'record_unknown', message: 'There is no such record.' }
    server.use(
      http.post(url('/desk/decisions/:id/undo'), () => {
        const undo = aDecision({ _id: 'undo', kind: 'restore_record', state: 'refused', refusal, undoable: false })
        return HttpResponse.json({ success: true, data: undo }, { status: 201 })
      }),
    )
    detail = { ...detail, state: 'closed', claim: null, decisions: [aDecision()] }
    const { user } = await openCase()
    await user.click(screen.getByRole('button', { name: 'Undo: Record removed' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Undo: Record removed' }))
    await paste(user, dialog.getByLabelText('Why'), 'The video shows the run.')
    await user.click(dialog.getByRole('button', { name: 'Undo the decision' }))
    await waitFor(() =>
      expect(dialog.getByRole('group', { name: /^Please fix/ })).toHaveTextContent('There is no such record.'),
    )
    expect(dialog.getByLabelText('Why')).toHaveValue('The video shows the run.')
    expect(JSON.stringify(sessionStorage)).toContain('The video shows the run.')
    expect(screen.queryByText('Undone')).not.toBeInTheDocument()
  })

  it.each([
    ['public_reason', 'Public reason'],
    ['decision_text', 'Why'],
  ])('shows the refusal %s at its field', async (code, label) => {
    serveDecision()
    server.use(http.post(url('/desk/decisions/:id/undo'), () => problem(422, { code, message: 'Another, please.' })))
    detail = { ...detail, state: 'closed', claim: null, decisions: [aDecision()] }
    const { user } = await openCase()
    await user.click(screen.getByRole('button', { name: 'Undo: Record removed' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Undo: Record removed' }))
    await paste(user, dialog.getByLabelText('Why'), 'The video shows the run.')
    await user.click(dialog.getByRole('button', { name: 'Undo the decision' }))
    await waitFor(() => expect(dialog.getByLabelText(label)).toBeInvalid())
  })
})

describe('the failures of the desk', () => {
  it('are reported with a button that tries again', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    server.use(http.get(url('/desk/cases'), () => problem(503, { message: 'The desk is away.' }), { once: true }))
    const { user } = await queue()
    expect(await screen.findByText('The desk is away.')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findAllByRole('row', { name: /rain/ })).toHaveLength(1)
  })
})
