import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { aMap, aPlayer, cloudstep, mossfoot, page, someRecordDetails } from '@/test/fixtures'
import { paste, renderPart, renderRoute } from '@/test/render'
import { problem, server, url } from '@/test/server'
import { ReportButton } from './ReportButton'

let sent: unknown[]

beforeEach(() => {
  sent = []
  server.use(
    http.post(url('/reports'), async ({ request }) => {
      sent.push(await request.json())
      return HttpResponse.json(
        { success: true, data: { _id: 'report', at: '2026-05-11T18:05:00.000Z' } },
        { status: 201 },
      )
    }),
  )
})

const openDialog = async (kind: 'record' | 'map' | 'player' = 'record') => {
  const view = renderPart(<ReportButton kind={kind} id="thing" ownerId={mossfoot._id} />, { user: cloudstep })
  // Only the button whose code is loaded can be expanded.
  await view.user.click(await screen.findByRole('button', { name: 'Report', expanded: false }))
  return { ...view, dialog: within(await screen.findByRole('dialog')) }
}

describe('a report', () => {
  it.each([
    ['record', 'Report this record', ['Played by somebody else or by a program', 'The replay was edited']],
    ['map', 'Report this map', ['Copied from another author', 'It cannot be finished']],
    ['player', 'Report this player', ['Second account of a player', 'Indecent name']],
  ] as const)('of a %s asks for a reason of its kind', async (kind, title, reasons) => {
    const { dialog } = await openDialog(kind)
    expect(screen.getByRole('dialog', { name: title })).toBeVisible()
    const offered = dialog.getAllByRole('option').map(({ textContent }) => textContent)
    expect(offered).toEqual(expect.arrayContaining([...reasons]))
    expect(offered.at(-1)).toBe('Something else')
    expect(dialog.getByText(/You will hear the outcome in your inbox/)).toBeVisible()
  })

  it('is sent with its reason, and without a text where none was typed', async () => {
    const { user, dialog } = await openDialog()
    await user.selectOptions(dialog.getByLabelText('What is wrong?'), 'The replay was edited')
    await user.click(dialog.getByRole('button', { name: 'Send report' }))
    expect(await screen.findByText('Thank you for your report')).toBeVisible()
    expect(sent).toEqual([{ subject: { kind: 'record', id: 'thing' }, reason: 'edited' }])
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  })

  it('needs a reason, and a text for another one', async () => {
    const { user, dialog } = await openDialog()
    await user.click(dialog.getByRole('button', { name: 'Send report' }))
    expect(await dialog.findAllByText('Choose a reason', { ignore: 'option' })).not.toHaveLength(0)
    await user.selectOptions(dialog.getByLabelText('What is wrong?'), 'Something else')
    await paste(user, dialog.getByLabelText('What should moderators know?'), 'Too short')
    await user.click(dialog.getByRole('button', { name: 'Send report' }))
    expect(await dialog.findAllByText('Describe it in at least 10 characters.')).not.toHaveLength(0)
    expect(sent).toEqual([])
    await paste(user, dialog.getByLabelText('What should moderators know?'), ', but now it is long')
    await user.click(dialog.getByRole('button', { name: 'Send report' }))
    await waitFor(() => expect(sent).toMatchObject([{ reason: 'other', text: 'Too short, but now it is long' }]))
  })

  it('keeps its text until it is sent, also when it is closed and over a reload', async () => {
    const { user, dialog, unmount } = await openDialog()
    await paste(user, dialog.getByLabelText(/What should moderators know/), 'The ball stops in the air.')
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    unmount()

    const reloaded = await openDialog()
    expect(reloaded.dialog.getByLabelText(/What should moderators know/)).toHaveValue('The ball stops in the air.')
    await reloaded.user.selectOptions(reloaded.dialog.getByLabelText('What is wrong?'), 'The replay was edited')
    await reloaded.user.click(reloaded.dialog.getByRole('button', { name: 'Send report' }))
    await waitFor(() => expect(sent).toMatchObject([{ text: 'The ball stops in the air.' }]))
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    reloaded.unmount()

    const next = await openDialog()
    expect(next.dialog.getByLabelText(/What should moderators know/)).toHaveValue('')
  })

  it("shows the server's errors, those of a field at the field", async () => {
    const { user, dialog } = await openDialog()
    server.use(
      http.post(url('/reports'), () => problem(422, { code: 'report_text', message: 'Write more.' }), { once: true }),
    )
    await user.selectOptions(dialog.getByLabelText('What is wrong?'), 'The replay was edited')
    await user.click(dialog.getByRole('button', { name: 'Send report' }))
    await waitFor(() => expect(dialog.getByLabelText(/What should moderators know/)).toBeInvalid())
    server.use(
      http.post(url('/reports'), () => problem(422, { code: 'report_reason', message: 'Another.' }), { once: true }),
    )
    await user.click(dialog.getByRole('button', { name: 'Send report' }))
    await waitFor(() => expect(dialog.getByLabelText('What is wrong?')).toBeInvalid())
    server.use(http.post(url('/reports'), () => problem(409, { code: 'report_exists', message: 'You did already.' })))
    await user.click(dialog.getByRole('button', { name: 'Send report' }))
    expect(await dialog.findByText('You did already.')).toBeVisible()
  })
})

describe('the button that reports', () => {
  beforeEach(() =>
    server.use(
      http.get(url('/records'), () => HttpResponse.json(page([]))),
      http.get(url('/maps/search'), () => HttpResponse.json(page([]))),
      http.get(url('/records/progress'), () => HttpResponse.json({ success: true, data: [] })),
      http.get(url('/records/:id'), () => HttpResponse.json({ success: true, data: someRecordDetails() })),
      http.get(url('/records/:id/verification'), () =>
        HttpResponse.json({ success: true, data: { checkedAt: '2026-11-08T10:00:00Z', checks: [], notChecked: [] } }),
      ),
      http.get(url('/maps/:id'), () => HttpResponse.json({ success: true, data: aMap() })),
      http.get(url('/maps/:id/versions'), () => HttpResponse.json({ success: true, data: [] })),
      http.get(url('/players/:id'), () => HttpResponse.json({ success: true, data: aPlayer() })),
    ),
  )

  const other = { ...mossfoot, roles: [] }

  it.each(['/record/r', '/leaderboard/a', `/player/${cloudstep._id}`])('stands on %s', async (path) => {
    renderRoute(path, { user: other })
    expect(await screen.findByRole('button', { name: 'Report' })).toBeVisible()
  })

  it.each(['/record/r', '/leaderboard/a', `/player/${cloudstep._id}`])('is not on the own %s', async (path) => {
    renderRoute(path, { user: cloudstep })
    await screen.findByRole('heading', { level: 1, name: /cloudstep|Skyline Run/ })
    expect(screen.queryByRole('button', { name: 'Report' })).not.toBeInTheDocument()
  })

  it('asks visitors to log in, which leads back', async () => {
    server.use(http.get(url('/auth/request-room-link'), () => problem(503)))
    const { user, router } = renderRoute('/record/r')
    await user.click(await screen.findByRole('link', { name: 'Report' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/login-with-bonk'))
    expect(router.state.location.state).toEqual({ returnTo: '/record/r' })
    expect(await screen.findByText('You must be logged in to report something.')).toBeVisible()
  })
})

describe('a world record that is being looked at', () => {
  const serveUnderReview = () =>
    server.use(
      http.get(url('/moderation/records/:id'), () =>
        HttpResponse.json({ success: true, data: { beingLookedAt: true } }),
      ),
      http.get(url('/records'), () => HttpResponse.json(page([]))),
      http.get(url('/records/progress'), () => HttpResponse.json({ success: true, data: [] })),
      http.get(url('/records/:id'), () => HttpResponse.json({ success: true, data: someRecordDetails() })),
      http.get(url('/records/:id/verification'), () =>
        HttpResponse.json({ success: true, data: { checkedAt: '2026-11-08T10:00:00Z', checks: [], notChecked: [] } }),
      ),
      http.get(url('/maps/:id/versions'), () => HttpResponse.json({ success: true, data: [] })),
      http.get(url('/maps/:id'), () =>
        HttpResponse.json({
          success: true,
          data: aMap({ worldRecord: { _id: 'r', finishTime: 41267, player: someRecordDetails().player } }),
        }),
      ),
    )

  it.each(['/record/r', '/leaderboard/a'])('says so on %s', async (path) => {
    serveUnderReview()
    renderRoute(path)
    expect(await screen.findByText('Under review')).toBeVisible()
  })
})
