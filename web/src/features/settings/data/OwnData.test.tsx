import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { aPlayer, cloudstep } from '@/test/fixtures'
import { paste, renderRoute } from '@/test/render'
import { problem, server, url } from '@/test/server'

const open = (user = cloudstep) => renderRoute('/settings/data', { user })

beforeEach(() => {
  server.use(
    http.get(url('/players/:id'), () => HttpResponse.json({ success: true, data: aPlayer({ recordCount: 41 }) })),
  )
})

describe('the own data', () => {
  const saved: { name: string; file: Blob }[] = []
  const line = '{"service":"players","kind":"player","data":{}}\n'

  beforeEach(() => {
    saved.length = 0
    let file: Blob
    URL.createObjectURL = vi.fn((blob: Blob) => {
      file = blob
      return 'blob:data'
    })
    URL.revokeObjectURL = vi.fn()
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push({ name: this.download, file })
    })
    return () => click.mockRestore()
  })

  const answer = (text: string) =>
    http.get(url('/me/export'), ({ request }) =>
      request.headers.get('Authorization') === 'Bearer token'
        ? new HttpResponse(text, { headers: { 'Content-Type': 'application/x-ndjson' } })
        : problem(401),
    )

  it('are saved in a file', async () => {
    server.use(answer(`${line}{"kind":"end","complete":true}\n`))
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: 'Download my data' }))
    expect(await screen.findByText('Your data is in the file capzone-data.ndjson')).toBeVisible()
    expect(saved.map(({ name }) => name)).toEqual(['capzone-data.ndjson'])
    expect(saved[0]?.file.size).toBe(line.length + 31)
  })

  it('that are not complete are saved with a warning', async () => {
    server.use(answer(`${line}{"kind":"end","complete":false,"missing":["maps"]}\n`))
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: 'Download my data' }))
    expect(await screen.findByText(/^Some of your data could not be read just now\./)).toBeVisible()
    expect(saved).toHaveLength(1)
  })

  it('that were cut off are not saved', async () => {
    server.use(answer(line))
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: 'Download my data' }))
    expect(await screen.findByText('The download ended too early. Please try again.')).toBeVisible()
    expect(saved).toEqual([])
  })

  it.each([
    [
      problem(429, { code: 'export_too_soon', message: 'You can get your data once a day. Please try again later.' }),
      'You can get your data once a day. Please try again later.',
    ],
    [problem(503), 'Your data could not be downloaded. Please try again.'],
    [HttpResponse.error(), 'Your data could not be downloaded. Please try again.'],
  ])('say why they are not sent', async (answer, said) => {
    server.use(http.get(url('/me/export'), () => answer.clone()))
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: 'Download my data' }))
    expect(await screen.findByText(said)).toBeVisible()
    expect(screen.getByRole('button', { name: 'Download my data' })).toBeEnabled()
  })
})

describe('the deletion', () => {
  let scheduledFor: string | null
  let sent: unknown[]

  beforeEach(() => {
    scheduledFor = null
    sent = []
    const now = () => ({ success: true, data: { scheduledFor, requestedAt: scheduledFor } })
    server.use(
      http.get(url('/me/deletion'), () => HttpResponse.json(now())),
      http.post(url('/me/deletion'), async ({ request }) => {
        sent.push(await request.json())
        scheduledFor = '2026-06-25T10:00:00.000Z'
        return HttpResponse.json(now(), { status: 201 })
      }),
      http.delete(url('/me/deletion'), () => {
        scheduledFor = null
        return new HttpResponse(null, { status: 204 })
      }),
    )
  })

  it('says what happens, with the numbers', async () => {
    open()
    const part = within(await screen.findByRole('region', { name: 'Delete your account' }))
    expect(await part.findByText(/^Your 41 records and your 1 map stay under that name/)).toBeVisible()
    expect(part.getByText('Your name becomes “deleted player 0001”.')).toBeVisible()
    expect(part.getByText(/^It happens 14 days after/)).toBeVisible()
  })

  it('needs the own name, is announced with its day, and can be cancelled', async () => {
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: 'Delete my account' }))
    const name = await screen.findByLabelText('Your name, to confirm')
    await user.type(name, 'mossfoot')
    await user.click(screen.getByRole('button', { name: 'Delete in 14 days' }))
    expect((await screen.findAllByText('That is not your name.'))[0]).toBeVisible()
    expect(sent).toEqual([])

    await user.clear(name)
    await paste(user, name, 'Cloudstep')
    await user.click(screen.getByRole('button', { name: 'Delete in 14 days' }))
    expect(await screen.findByText(/^Your account will be deleted on 25 June 2026/)).toBeVisible()
    expect(sent).toEqual([{ name: 'Cloudstep' }])
    expect(screen.getByRole('main')).toHaveFocus()
    expect(screen.queryByLabelText('Your name, to confirm')).not.toBeInTheDocument()

    await user.click(screen.getByRole('button', { name: 'Keep my account' }))
    expect(await screen.findByText('Your account stays')).toBeVisible()
    expect(await screen.findByRole('button', { name: 'Delete my account' })).toBeVisible()
    expect(screen.queryByText(/^Your account will be deleted on/)).not.toBeInTheDocument()
  })

  it('compares the own name as the server does, and keeps the focus', async () => {
    const { user } = open({ ...cloudstep, name: 'ﬁre' })
    await user.click(await screen.findByRole('button', { name: 'Delete my account' }))
    const name = await screen.findByLabelText('Your name, to confirm')
    expect(name).toHaveFocus()
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.getByRole('button', { name: 'Delete my account' })).toHaveFocus())
    await user.keyboard('{Enter}')
    await user.type(screen.getByLabelText('Your name, to confirm'), 'Fire')
    await user.click(screen.getByRole('button', { name: 'Delete in 14 days' }))
    await waitFor(() => expect(sent).toEqual([{ name: 'Fire' }]))
  })

  it('of the only admin is refused', async () => {
    server.use(
      http.post(url('/me/deletion'), () => problem(422, { code: 'last_admin', message: 'You are the only admin.' })),
    )
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: 'Delete my account' }))
    await user.type(await screen.findByLabelText('Your name, to confirm'), 'cloudstep')
    await user.click(screen.getByRole('button', { name: 'Delete in 14 days' }))
    expect((await screen.findAllByText(/only admin/))[0]).toBeVisible()
  })

  it('is announced on all pages of settings, and says that it could not be cancelled', async () => {
    scheduledFor = '2026-06-25T10:00:00.000Z'
    server.use(http.delete(url('/me/deletion'), () => problem(503)))
    const { user } = renderRoute('/settings', { user: cloudstep })
    await user.click(await screen.findByRole('button', { name: 'Keep my account' }))
    expect(await screen.findByText('The deletion could not be cancelled')).toBeVisible()
    expect(screen.getByText(/^Your account will be deleted on 25 June 2026/)).toBeVisible()
  })

  it('is open to a banned player, and so is the file', async () => {
    const ban = { until: null, reason: 'edited', decisionId: null }
    open({ ...cloudstep, ban })
    expect(await screen.findByRole('button', { name: 'Download my data' })).toBeVisible()
    await waitFor(() => expect(screen.getByRole('button', { name: 'Delete my account' })).toBeVisible())
  })
})
