import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Appeal, OwnDecision } from '@/api/desk'
import { anOwnDecision, rain } from '@/test/deskFixtures'
import { paste, renderRoute } from '@/test/render'
import { problem, server, url } from '@/test/server'

const user = { ...rain, level: 3, roles: [] }
const path = `/decisions/${anOwnDecision()._id}`

const appealOf = (texts: string[], change: Partial<Appeal> = {}): Appeal => ({
  _id: 'appeal',
  decisionId: anOwnDecision()._id,
  state: 'open',
  waitingSince: '2026-05-13T10:00:00.000Z',
  answeredAt: null,
  messages: texts.map((text, i) => ({ _id: `m${i}`, from: 'subject', text, at: '2026-05-13T10:00:00.000Z' })),
  ...change,
})

let sent: { path: string; body: unknown }[]

// The server keeps one decision with its appeal.
function serve(first: OwnDecision = anOwnDecision()) {
  let decision = first
  const add = async (request: Request) => {
    const body = (await request.json()) as { text: string }
    sent.push({ path: new URL(request.url).pathname.replace('/api/v1', ''), body })
    const texts = [...(decision.appeal?.messages.map(({ text }) => text) ?? []), body.text]
    decision = { ...decision, appeal: appealOf(texts), mayAppeal: false }
    return HttpResponse.json({ success: true, data: decision.appeal }, { status: 201 })
  }
  server.use(
    http.get(url('/decisions/:id'), () => HttpResponse.json({ success: true, data: decision })),
    http.post(url('/appeals'), ({ request }) => add(request)),
    http.post(url('/appeals/:id/messages'), ({ request }) => add(request)),
  )
}

beforeEach(() => {
  sent = []
})

const facts = () =>
  Object.fromEntries(
    screen.getAllByRole('term').map((term) => [term.textContent, term.nextElementSibling?.textContent]),
  )

describe('a decision about the player', () => {
  it('says what, why and since when', async () => {
    serve()
    renderRoute(path, { user })
    expect(await screen.findByRole('heading', { level: 1, name: 'Record removed' })).toBeVisible()
    expect(screen.getByText('The inputs of the replay do not lead to its time.')).toBeVisible()
    expect(facts()).toEqual({
      About: '00:38.10 by rain on Skyline Run',
      Reason: 'The replay was edited',
      Date: '12 May 2026',
      State: 'Carried out',
    })
  })

  it('of a ban says until when and what becomes of the records', async () => {
    const subject = { ...anOwnDecision().subject, kind: 'player' as const }
    serve(anOwnDecision({ kind: 'ban', until: '2026-06-12T09:00:00Z', subject }))
    renderRoute(path, { user })
    await screen.findByRole('heading', { level: 1, name: 'Banned' })
    expect(facts()).toMatchObject({
      About: 'You',
      Until: '12 Jun 2026',
      'Your records': 'Are hidden while the ban lasts',
    })
  })

  it('that was undone says so', async () => {
    serve(anOwnDecision({ undone: true, mayAppeal: false }))
    renderRoute(path, { user })
    expect(await screen.findByText('This decision was undone. It has no effect any more.')).toBeVisible()
    expect(screen.queryByRole('form')).not.toBeInTheDocument()
  })

  it('is appealed against with up to three messages', async () => {
    serve()
    const view = renderRoute(path, { user })
    const write = async (text: string, button: string) => {
      await view.user.type(await screen.findByLabelText('Your message'), text)
      await view.user.click(screen.getByRole('button', { name: button }))
    }
    await write('Too short', 'Appeal against the decision')
    expect((await screen.findAllByText('Write at least 10 characters.')).length).toBeGreaterThan(0)
    await write(', but now not.', 'Appeal against the decision')
    expect(await screen.findByText(/Waiting since/)).toBeVisible()
    await write('A second message.', 'Send another message')
    await screen.findByText('A second message.', { selector: 'li *' })
    await waitFor(() => expect(screen.getByLabelText('Your message')).toHaveValue(''))
    await write('A third message.', 'Send another message')
    expect(await screen.findByText(/You have sent 3 messages/)).toBeVisible()
    expect(screen.queryByLabelText('Your message')).not.toBeInTheDocument()
    expect(within(screen.getByRole('list', { name: 'Messages of the appeal' })).getAllByRole('listitem')).toHaveLength(
      3,
    )
    expect(sent.map(({ path }) => path)).toEqual(['/appeals', '/appeals/appeal/messages', '/appeals/appeal/messages'])
    expect(sent[0]?.body).toEqual({ decisionId: anOwnDecision()._id, text: 'Too short, but now not.' })
  })

  it('shows the answer to an appeal', async () => {
    const appeal = appealOf(['I have a video.'], {
      state: 'kept',
      waitingSince: null,
      answeredAt: '2026-05-14T10:00:00Z',
    })
    appeal.messages.push({ _id: 'a', from: 'moderator', text: 'It shows another run.', at: '2026-05-14T10:00:00Z' })
    serve(anOwnDecision({ appeal, mayAppeal: false }))
    renderRoute(path, { user })
    expect(await screen.findByText('It shows another run.')).toBeVisible()
    expect(screen.getByText(/Decision kept/)).toBeVisible()
    expect(screen.queryByRole('form')).not.toBeInTheDocument()
  })

  it('shows the refusal of a text at its field', async () => {
    serve()
    server.use(http.post(url('/appeals'), () => problem(422, { code: 'appeal_text', message: 'Write more.' })))
    const view = renderRoute(path, { user })
    await paste(view.user, await screen.findByLabelText('Your message'), 'It was really me.')
    await view.user.click(screen.getByRole('button', { name: 'Appeal against the decision' }))
    await waitFor(() => expect(screen.getByLabelText('Your message')).toBeInvalid())
  })

  it("shows the server's refusal of an appeal", async () => {
    serve()
    server.use(http.post(url('/appeals'), () => problem(429, { code: 'appeal_too_soon', message: 'Wait a month.' })))
    const view = renderRoute(path, { user })
    await paste(view.user, await screen.findByLabelText('Your message'), 'It was really me.')
    await view.user.click(screen.getByRole('button', { name: 'Appeal against the decision' }))
    expect(await screen.findByText('Wait a month.')).toBeVisible()
  })

  it('of somebody else is not found', async () => {
    server.use(http.get(url('/decisions/:id'), () => problem(404, { code: 'decision_unknown' })))
    renderRoute('/decisions/x', { user })
    expect(await screen.findByText('Only the player concerned can read a decision.')).toBeVisible()
  })
})

describe('a banned player', () => {
  const ban = { until: '2026-06-12T09:00:00Z', reason: 'edited', decisionId: anOwnDecision()._id }

  it('sees the ban instead of pages, and reads the decision', async () => {
    serve(anOwnDecision({ kind: 'ban' }))
    const view = renderRoute('/map-submit', { user: { ...user, ban } })
    expect(await screen.findByRole('heading', { level: 1, name: 'You are banned' })).toBeVisible()
    expect(screen.getByText(/Your account is banned until/)).toHaveTextContent('12 Jun 2026')
    expect(screen.getByText('Reason: The replay was edited')).toBeVisible()
    expect(screen.queryByRole('form')).not.toBeInTheDocument()
    await view.user.click(screen.getByRole('link', { name: 'Read the decision and appeal' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Banned' })).toBeVisible()
    expect(screen.getByRole('button', { name: 'Appeal against the decision' })).toBeVisible()
  })

  it('by an operator is told without a reason or an end', async () => {
    renderRoute('/map-submit', { user: { ...user, ban: { until: null, reason: null, decisionId: null } } })
    expect(await screen.findByText('Your account is banned permanently.')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Decisions about you' })).toHaveAttribute('href', '/decisions')
  })
})

describe('the decisions about the player', () => {
  it('are listed with their states', async () => {
    server.use(
      http.get(url('/me/decisions'), () =>
        HttpResponse.json({
          success: true,
          data: [
            anOwnDecision({ appeal: appealOf(['I have a video.']) }),
            anOwnDecision({ _id: 'two', kind: 'warn', undone: true }),
          ],
        }),
      ),
    )
    renderRoute('/decisions', { user })
    const items = within(await screen.findByRole('list', { name: 'Decisions about you' })).getAllByRole('listitem')
    expect(items[0]).toHaveTextContent(/Record removed.*Waiting since.*The replay was edited/)
    expect(within(items[0] as HTMLElement).getByRole('link')).toHaveAttribute('href', path)
    expect(items[1]).toHaveTextContent(/Warned.*Undone/)
  })

  it('may be none', async () => {
    server.use(http.get(url('/me/decisions'), () => HttpResponse.json({ success: true, data: [] })))
    renderRoute('/decisions', { user })
    expect(await screen.findByText('No decisions have been made about you.')).toBeVisible()
  })
})

describe('the public page of moderation', () => {
  const summary = {
    days: 30,
    openCases: 4,
    reports: 41,
    closedCases: 37,
    decisions: [
      { kind: 'dismiss', count: 20 },
      { kind: 'remove_record', count: 1204 },
    ],
    undone: 2,
    appealsOpen: 1,
    appealsGranted: 3,
    appealsKept: 5,
    medianMinutes: 190,
  }

  it('has counts and the median time', async () => {
    server.use(http.get(url('/moderation'), () => HttpResponse.json({ success: true, data: summary })))
    renderRoute('/moderation')
    await screen.findByRole('heading', { name: 'The last 30 days' })
    expect(facts()).toEqual({
      'Median time to a decision': '3 hours',
      Reports: '41',
      'Cases decided': '37',
      'Decisions undone': '2',
      'Appeals granted': '3',
      'Appeals refused': '5',
      'Cases waiting now': '4',
      'Appeals waiting now': '1',
    })
    expect(screen.getByRole('row', { name: /Record removed/ })).toHaveTextContent('1,204')
  })

  it('says that nothing was decided', async () => {
    const none = { ...summary, decisions: [], medianMinutes: null }
    server.use(http.get(url('/moderation'), () => HttpResponse.json({ success: true, data: none })))
    renderRoute('/moderation')
    expect(await screen.findByText('Nothing was decided.')).toBeVisible()
    expect(facts()['Median time to a decision']).toBe('No decision yet')
  })
})
