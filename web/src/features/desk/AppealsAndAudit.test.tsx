import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { User } from '@/session/session'
import { anAppeal, anAuditEntry } from '@/test/deskFixtures'
import { cloudstep, page } from '@/test/fixtures'
import { paste, renderRoute } from '@/test/render'
import { problem, server, url } from '@/test/server'
import { changedFields } from './auditQueries'

const moderator: User = { ...cloudstep, roles: ['moderator'] }

let asked: string[]

const open = async (path: string, user = moderator) => {
  const view = renderRoute(path, { user })
  await screen.findByRole('heading', { level: 1 })
  return view
}

beforeEach(() => {
  asked = []
})

describe('the appeals', () => {
  let answers: unknown[]

  function serve(appeals = [anAppeal()]) {
    answers = []
    const effects = { movedUp: 0, nextBest: false, worldRecord: false, nextWorldRecord: null }
    const restoration = { rank: 1, movedDown: 2, worldRecord: false, presentWorldRecord: null }
    server.use(
      http.get(url('/records/:id/effects'), () =>
        HttpResponse.json({ success: true, data: { ...effects, restoration } }),
      ),
      http.get(url('/desk/appeals'), ({ request }) => {
        asked.push(new URL(request.url).search)
        return HttpResponse.json(page(answers.length ? [] : appeals))
      }),
      http.post(url('/desk/appeals/:id/answer'), async ({ request }) => {
        answers.push(await request.json())
        return HttpResponse.json({ success: true, data: anAppeal({ state: 'granted' }) })
      }),
    )
  }

  it('are for moderators and admins', async () => {
    await open('/desk/appeals', cloudstep)
    expect(screen.getByRole('heading', { name: 'You may not open this page' })).toBeVisible()
  })

  it('show the decision and the thread, and are answered', async () => {
    serve()
    const { user } = await open('/desk/appeals')
    const appeal = within(await screen.findByRole('article', { name: 'Appeal of rain' }))
    expect(appeal.getByText(/Waiting since/)).toHaveTextContent('13 May 2026')
    expect(appeal.getByText('Record removed:').parentElement).toHaveTextContent('00:38.10 by rain on Skyline Run')
    expect(appeal.getByText('I have a video of the run.')).toBeVisible()
    await user.click(appeal.getByRole('button', { name: 'Answer' }))
    expect((await appeal.findAllByText('Choose what happens to the decision')).length).toBeGreaterThan(0)
    await user.selectOptions(appeal.getByLabelText('The decision'), 'The decision is undone')
    await paste(user, appeal.getByRole('textbox', { name: 'Answer' }), 'The video is convincing.')
    await user.click(appeal.getByRole('button', { name: 'Answer' }))
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Grant the appeal' }))
    expect(await dialog.findByText('2 players move down.')).toBeVisible()
    expect(answers).toEqual([])
    await user.click(dialog.getByRole('button', { name: 'Grant' }))
    await waitFor(() => expect(answers).toEqual([{ outcome: 'granted', text: 'The video is convincing.' }]))
    expect(await screen.findByText('No appeals are waiting for an answer.')).toBeVisible()
    expect(asked[0]).toBe('?state=open&page=1&limit=20')
  })

  it('are answered by a question, which leaves them open', async () => {
    serve()
    const { user } = await open('/desk/appeals')
    const appeal = within(await screen.findByRole('article', { name: 'Appeal of rain' }))
    await user.selectOptions(appeal.getByLabelText('The decision'), 'Not decided yet: ask the player')
    await paste(user, appeal.getByRole('textbox', { name: 'Answer' }), 'Where is the video?')
    await user.click(appeal.getByRole('button', { name: 'Answer' }))
    await waitFor(() => expect(answers).toEqual([{ outcome: 'asked', text: 'Where is the video?' }]))
  })

  it('stay open where undoing the decision is refused, and keep the answer', async () => {
    serve()
    server.use(http.post(url('/desk/appeals/:id/answer'), () => HttpResponse.json({ success: true, data: anAppeal() })))
    const { user } = await open('/desk/appeals')
    const form = within(await screen.findByRole('form', { name: 'Answer to rain' }))
    await user.selectOptions(form.getByLabelText('The decision'), 'The decision is undone')
    await paste(user, form.getByLabelText('Answer'), 'The video is convincing.')
    await user.click(form.getByRole('button', { name: 'Answer' }))
    await user.click(await screen.findByRole('button', { name: 'Grant' }))
    await waitFor(() =>
      expect(form.getByRole('group', { name: /^Please fix/ })).toHaveTextContent('The decision could not be undone'),
    )
    expect(form.getByLabelText('Answer')).toHaveValue('The video is convincing.')
    expect(JSON.stringify(sessionStorage)).toContain('The video is convincing.')
  })

  it('in which the player was asked are decided alone', async () => {
    serve([anAppeal({ waitingSince: null })])
    await open('/desk/appeals')
    const appeal = within(await screen.findByRole('article', { name: 'Appeal of rain' }))
    expect(appeal.getByText('The moderators have asked')).toBeVisible()
    expect(appeal.getByRole('option', { name: 'The decision stays' })).toBeInTheDocument()
    expect(appeal.queryByRole('option', { name: /ask the player/ })).not.toBeInTheDocument()
  })

  it('are not answered by who has decided', async () => {
    serve([anAppeal({ mayAnswer: false })])
    await open('/desk/appeals')
    expect(await screen.findByText(/Another moderator answers it/)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Answer' })).not.toBeInTheDocument()
  })

  it('that were answered are listed by the address', async () => {
    serve([anAppeal({ state: 'kept', mayAnswer: false, answeredAt: '2026-05-14T10:00:00Z', waitingSince: null })])
    const { user, router } = await open('/desk/appeals')
    await user.selectOptions(screen.getByLabelText('State'), 'Answered')
    expect(router.state.location.search).toBe('?state=answered')
    expect(await screen.findByText(/Decision kept/)).toBeVisible()
    expect(asked.at(-1)).toBe('?state=answered&page=1&limit=20')
  })

  it.each([
    ['decision_text', 'Answer'],
    ['decision_final', 'The decision'],
    ['decision_overtaken', 'The decision'],
  ])('show the refusal %s at its field', async (code, label) => {
    serve()
    server.use(http.post(url('/desk/appeals/:id/answer'), () => problem(422, { code, message: 'Not so.' })))
    const { user } = await open('/desk/appeals')
    const form = within(await screen.findByRole('form', { name: 'Answer to rain' }))
    await user.selectOptions(form.getByLabelText('The decision'), 'The decision is undone')
    await paste(user, form.getByLabelText('Answer'), 'The video is convincing.')
    await user.click(form.getByRole('button', { name: 'Answer' }))
    await user.click(await screen.findByRole('button', { name: 'Grant' }))
    await waitFor(() => expect(form.getByLabelText(label)).toBeInvalid())
  })

  it('that another has answered meanwhile say so', async () => {
    serve()
    server.use(
      http.post(url('/desk/appeals/:id/answer'), () =>
        problem(409, { code: 'appeal_answered', message: 'This appeal was answered already.' }),
      ),
    )
    const { user } = await open('/desk/appeals')
    await user.selectOptions(await screen.findByLabelText('The decision'), 'The decision stays')
    await paste(user, screen.getByRole('textbox', { name: 'Answer' }), 'Nothing new was said.')
    await user.click(screen.getByRole('button', { name: 'Answer' }))
    expect(await screen.findByText('This appeal was answered already.')).toBeVisible()
  })
})

describe('the audit log', () => {
  function serve(entries = [anAuditEntry()], next: string | null = null) {
    server.use(
      http.get(url('/desk/audit'), ({ request }) => {
        asked.push(new URL(request.url).search)
        return HttpResponse.json({ success: true, data: entries, pagination: { limit: 50, next } })
      }),
    )
  }

  it('shows who changed what, with the fields before and after', async () => {
    serve([
      anAuditEntry(),
      anAuditEntry({ _id: 'a2', actor: { kind: 'operator', id: 'root', name: 'root' }, subjectName: 'rain' }),
      anAuditEntry({ _id: 'a3', actor: { kind: 'system', id: 'players', name: 'players' } }),
    ])
    await open('/desk/audit')
    const rows = await screen.findAllByRole('row', { name: /remove record/ })
    expect(rows[0]).toHaveTextContent(/12 May 2026.*cloudstep.*remove record.*01900000….*The inputs do not lead/)
    // Narrow screens have them in another cell.
    for (const changes of within(rows[0] as HTMLElement).getAllByRole('list', { name: 'Changes' }))
      expect(changes).toHaveTextContent('removedAt nothing 2026-05-12T09:00:00Z')
    expect(rows[1]).toHaveTextContent(/root Operator.*rain/)
    expect(rows[2]).toHaveTextContent(/players Service/)
  })

  it('has its filters in the address', async () => {
    serve([anAuditEntry()], 'a1')
    const { user, router } = await open('/desk/audit?actor=root')
    await screen.findAllByRole('row', { name: /remove record/ })
    expect(asked.at(-1)).toBe('?actor=root&limit=50')
    await user.type(screen.getByLabelText('Action'), 'ban player')
    await user.type(screen.getByLabelText('From'), '2026-05-01')
    await user.type(screen.getByLabelText('To'), '2026-05-02')
    await user.click(screen.getByRole('button', { name: 'Filter' }))
    expect(router.state.location.search).toBe('?actor=root&action=ban+player&from=2026-05-01&to=2026-05-02')
    await waitFor(() =>
      expect(Object.fromEntries(new URLSearchParams(asked.at(-1)))).toMatchObject({
        action: 'ban player',
        from: '2026-05-01T00:00:00.000Z',
        to: '2026-05-03T00:00:00.000Z',
      }),
    )
    await user.click(await screen.findByRole('link', { name: 'Older' }))
    await waitFor(() => expect(asked.at(-1)).toContain('before=a1'))
    expect(screen.getByRole('link', { name: 'Newest' })).toHaveAttribute('href', expect.not.stringContaining('before'))
  })

  it('is exported with its filters', async () => {
    serve()
    URL.createObjectURL = vi.fn(() => 'blob:audit')
    URL.revokeObjectURL = vi.fn()
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
    let exported = ''
    server.use(
      http.get(url('/desk/audit/export'), ({ request }) => {
        exported = new URL(request.url).search
        return new HttpResponse('{}\n{}\n', { headers: { 'Content-Type': 'application/x-ndjson' } })
      }),
    )
    const { user } = await open('/desk/audit?subject=r1')
    await user.click(await screen.findByRole('button', { name: 'Export as NDJSON' }))
    await waitFor(() => expect(click).toHaveBeenCalledOnce())
    expect(exported).toBe('?subject=r1')
  })

  it('says why it was not exported', async () => {
    serve()
    server.use(http.get(url('/desk/audit/export'), () => problem(403, { message: 'This is for moderators.' })))
    const { user } = await open('/desk/audit')
    await user.click(await screen.findByRole('button', { name: 'Export as NDJSON' }))
    expect(await screen.findByText('This is for moderators.')).toBeVisible()
  })

  it('lists the fields that a change has set', () => {
    const before = { a: 1, b: null, same: 'x' }
    expect(changedFields({ before, after: { b: { c: 2 }, same: 'x', d: '' } })).toEqual([
      { name: 'a', before: '1', after: '' },
      { name: 'b', before: '', after: '{"c":2}' },
    ])
  })
})
