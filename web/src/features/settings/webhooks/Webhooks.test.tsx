import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Webhook, WebhookDelivery } from '@/api/settings'
import { aMap, cloudstep, mossfoot, page } from '@/test/fixtures'
import { paste, renderRoute } from '@/test/render'
import { problem, server, url } from '@/test/server'
import { aDelivery, aWebhook } from '@/test/settingsFixtures'

const secret = 'whsec_c2VjcmV0'
const path = `/settings/webhooks/${aWebhook()._id}`
let webhooks: Webhook[]
let deliveries: WebhookDelivery[]
let sent: { call: string; body?: unknown }[]

const ok = (data: unknown, status = 200) => HttpResponse.json({ success: true, data }, { status })
const find = (id: unknown) => webhooks.find(({ _id }) => _id === id)

// The server keeps the webhooks and the deliveries of one.
beforeEach(() => {
  webhooks = [aWebhook()]
  deliveries = [aDelivery()]
  sent = []
  server.use(
    http.get(url('/webhooks'), () => ok(webhooks)),
    http.post(url('/webhooks'), async ({ request }) => {
      const body = await request.json()
      sent.push({ call: 'create', body })
      const webhook = aWebhook({ _id: 'new', description: '', url: 'https://hooks.example/x', lastDelivery: null })
      webhooks = [...webhooks, webhook]
      return ok({ webhook, secret: (body as Webhook).format === 'json' ? secret : null }, 201)
    }),
    http.get(url('/webhooks/:id'), ({ params }) => {
      const webhook = find(params.id)
      return webhook ? ok(webhook) : problem(404, { code: 'webhook_unknown', message: 'There is no such webhook.' })
    }),
    http.patch(url('/webhooks/:id'), async ({ params, request }) => {
      const body = (await request.json()) as Partial<Webhook>
      sent.push({ call: 'change', body })
      const enabled = body.enabled ?? find(params.id)?.enabled ?? true
      webhooks = webhooks.map((webhook) => ({ ...webhook, enabled, offReason: enabled ? null : 'owner' }))
      return ok(webhooks[0])
    }),
    http.delete(url('/webhooks/:id'), ({ params }) => {
      webhooks = webhooks.filter(({ _id }) => _id !== params.id)
      return new HttpResponse(null, { status: 204 })
    }),
    http.post(url('/webhooks/:id/rotate'), () => {
      webhooks = webhooks.map((webhook) => ({ ...webhook, previousSecretUntil: '2026-05-12T18:05:00.000Z' }))
      return ok({ webhook: webhooks[0], secret })
    }),
    http.get(url('/webhooks/:id/deliveries'), () => ok(deliveries)),
    http.post(url('/webhooks/:id/deliveries/:delivery/send'), ({ params }) => {
      sent.push({ call: `send ${params.delivery}` })
      return ok(deliveries[0], 202)
    }),
  )
})

const open = (at = '/settings/webhooks') => renderRoute(at, { user: cloudstep })

describe('the webhooks', () => {
  it('are listed with what they send and what became of the last delivery', async () => {
    webhooks = [
      aWebhook(),
      aWebhook({
        _id: 'other',
        description: '',
        url: 'https://discord.example/api/webhooks/1/secret',
        format: 'discord',
        enabled: false,
        offReason: 'gone',
        lastDelivery: aDelivery({ state: 'failed', status: 410, failure: 'status' }),
      }),
    ]
    open()
    const [first, second] = within(await screen.findByRole('list', { name: 'Webhooks' })).getAllByRole('listitem')
    expect(first).toHaveTextContent(
      'OverlayOnreceiver.example · JSON, for a programRecordsMapsClassicSkyline RunLast delivery: DeliveredStatus 204',
    )
    expect(within(first as HTMLElement).getByRole('link', { name: 'Overlay' })).toHaveAttribute('href', path)
    expect(second).toHaveTextContent('discord.exampleOff')
    expect(second).not.toHaveTextContent('secret')
    expect(second).toHaveTextContent('FailedStatus 410The receiver has refused it.')
  })

  it('can be made for a channel of Discord, without a secret', async () => {
    webhooks = []
    const { user } = open()
    expect(await screen.findByText('You have no webhooks.')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'New webhook' }))
    expect(screen.getByLabelText('Format')).toHaveFocus()
    await paste(user, screen.getByLabelText('Address'), 'https://hooks.example/x')
    await user.click(screen.getByRole('button', { name: 'Create webhook' }))
    expect(await screen.findByText('Webhook created')).toBeVisible()
    expect(sent).toEqual([
      {
        call: 'create',
        body: {
          url: 'https://hooks.example/x',
          format: 'discord',
          description: '',
          filter: { types: ['worldRecord'], mode: null, map: null, player: null },
        },
      },
    ])
    expect(await screen.findByRole('link', { name: 'hooks.example' })).toBeVisible()
    await waitFor(() => expect(screen.getByRole('button', { name: 'New webhook' })).toHaveFocus())
  })

  it('can be made for a program: limited to a map that is found by its name, with a secret that is shown once', async () => {
    server.use(http.get(url('/maps/search'), () => HttpResponse.json(page([aMap({ _id: 'a', version: 2 })]))))
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: 'New webhook' }))
    await user.selectOptions(screen.getByLabelText('Format'), 'JSON, for a program')
    await paste(user, screen.getByLabelText('Address'), 'https://hooks.example/x')
    await user.type(screen.getByLabelText('Name (optional)'), 'Overlay')
    await user.click(screen.getByRole('checkbox', { name: /^Maps/ }))
    await user.type(screen.getByLabelText('Map'), 'sky')
    await user.click(await screen.findByRole('button', { name: 'Skyline Run (version 2)' }))
    await user.selectOptions(screen.getByLabelText('Mode'), 'Grapple')
    await user.click(screen.getByRole('button', { name: 'Create webhook' }))
    const shown = await screen.findByRole('region', { name: 'The secret of your webhook' })
    expect(shown).toHaveFocus()
    expect(within(shown).getByText(secret)).toBeVisible()
    expect(sent[0]?.body).toMatchObject({
      format: 'json',
      description: 'Overlay',
      filter: { types: ['worldRecord', 'map'], mode: 'Grapple', map: 'a', player: null },
    })
    await user.click(within(shown).getByRole('button', { name: 'I have saved it' }))
    expect(screen.queryByText(secret)).not.toBeInTheDocument()
  })

  it('are not made by Enter in the search for a map, nor for a map that was typed and not chosen', async () => {
    server.use(http.get(url('/maps/search'), () => HttpResponse.json(page([aMap(), aMap({ _id: 'b', version: 2 })]))))
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: 'New webhook' }))
    await paste(user, screen.getByLabelText('Address'), 'https://hooks.example/x')
    await user.type(screen.getByLabelText('Map'), 'sky{Enter}')
    await screen.findByRole('button', { name: 'Skyline Run (version 2)' })
    await user.keyboard('{Enter}')
    expect(sent).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Create webhook' }))
    expect((await screen.findAllByText('Choose one of the maps, or clear the field.'))[0]).toBeVisible()
    expect(screen.getByLabelText('Map')).toBeInvalid()
    await user.click(screen.getByRole('button', { name: 'All maps' }))
    expect(screen.getByLabelText('Map')).toHaveFocus()
    await user.click(screen.getByRole('button', { name: 'Create webhook' }))
    await waitFor(() => expect(sent).toMatchObject([{ body: { filter: { map: null } } }]))
  })

  it('are limited to the only player of a name by Enter', async () => {
    server.use(http.get(url('/players/search'), () => HttpResponse.json(page([mossfoot]))))
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: 'New webhook' }))
    await paste(user, screen.getByLabelText('Address'), 'https://hooks.example/x')
    await user.type(screen.getByLabelText('Player'), 'moss')
    await screen.findByRole('button', { name: 'mossfoot' })
    await user.keyboard('{Enter}')
    expect(screen.getByLabelText('Player')).toHaveValue('mossfoot')
    expect(sent).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Create webhook' }))
    await waitFor(() => expect(sent).toMatchObject([{ body: { filter: { player: mossfoot._id } } }]))
  })

  it('need an address that begins with https, and something to send', async () => {
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: 'New webhook' }))
    await paste(user, screen.getByLabelText('Address'), 'http://hooks.example')
    await user.click(screen.getByRole('checkbox', { name: /^World records/ }))
    await user.click(screen.getByRole('button', { name: 'Create webhook' }))
    expect((await screen.findAllByText('The address begins with https://'))[0]).toBeVisible()
    expect(screen.getAllByText('Choose what is sent.')[0]).toBeVisible()
    expect(sent).toEqual([])
  })

  it('show why an address is refused, at its field', async () => {
    const errors = [{ field: 'url', message: 'The address is not on the public Internet.' }]
    server.use(
      http.post(url('/webhooks'), () =>
        HttpResponse.json(
          { success: false, code: 'webhook_url_refused', message: 'Refused.', requestId: '1', errors },
          { status: 422 },
        ),
      ),
    )
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: 'New webhook' }))
    await paste(user, screen.getByLabelText('Address'), 'https://10.0.0.1/')
    await user.click(screen.getByRole('button', { name: 'Create webhook' }))
    expect((await screen.findAllByText('The address is not on the public Internet.')).length).toBe(2)
    expect(screen.getByLabelText('Address')).toHaveAttribute('aria-invalid', 'true')
  })

  it('are five at most', async () => {
    webhooks = Array.from({ length: 5 }, (_, i) => aWebhook({ _id: `w${i}` }))
    open()
    expect(await screen.findByText('You have 5 webhooks, the maximum. Delete one to create another.')).toBeVisible()
    expect(screen.getByRole('button', { name: 'New webhook' })).toBeDisabled()
  })
})

describe('a webhook', () => {
  it('shows its deliveries, of which one is sent again', async () => {
    deliveries = [
      aDelivery({
        _id: 'waiting',
        state: 'waiting',
        status: null,
        failure: 'unreachable',
        tries: 3,
        nextTryAt: '2999-05-11T20:05:00.000Z',
      }),
      aDelivery({ _id: 'failed', state: 'failed', status: 500, failure: 'status', tries: 10 }),
    ]
    const { user } = open(path)
    const table = await screen.findByRole('table', { name: 'Deliveries', busy: false })
    await waitFor(() => expect(within(table).getAllByRole('row')).toHaveLength(3))
    const [, waiting, failed] = within(table).getAllByRole('row')
    expect(waiting).toHaveTextContent(
      'WaitingThe receiver has not answered within 10 seconds. Check its address and its certificate.The next attempt is on',
    )
    expect(failed).toHaveTextContent('FailedStatus 500The receiver has refused it.10')
    await user.click(within(failed as HTMLElement).getByRole('button', { name: /^Send the delivery of .* again$/ }))
    expect(await screen.findByText('It will be sent again.')).toBeVisible()
    expect(sent).toEqual([{ call: 'send failed' }])
  })

  it('is tested, and shows what becomes of the test', async () => {
    vi.spyOn(document, 'hasFocus').mockReturnValue(true)
    const test = aDelivery({ _id: 'test', type: 'test', state: 'waiting', status: null, tries: 0 })
    server.use(
      http.post(url('/webhooks/:id/test'), () => {
        deliveries = [{ ...test, state: 'failed', tries: 1, failure: 'unreachable' }, ...deliveries]
        return ok(test, 202)
      }),
    )
    const { user } = open(path)
    await user.click(await screen.findByRole('button', { name: 'Send a test' }))
    expect(await screen.findByText('The test:')).toBeVisible()
    await waitFor(() =>
      expect(screen.getByText('The test:').parentElement ?? document.body).toHaveTextContent(
        'The receiver has not answered within 10 seconds. Check its address and its certificate.',
      ),
    )
  })

  it('says that it was tested too often', async () => {
    server.use(
      http.post(url('/webhooks/:id/test'), () =>
        problem(429, { code: 'webhook_too_often', message: 'Ten tests a minute are possible. Please wait a moment.' }),
      ),
    )
    const { user } = open(path)
    await user.click(await screen.findByRole('button', { name: 'Send a test' }))
    expect(await screen.findByText('Ten tests a minute are possible. Please wait a moment.')).toBeVisible()
  })

  it('says why it is off, and is switched on again', async () => {
    webhooks = [aWebhook({ enabled: false, offReason: 'failures' })]
    const { user } = open(path)
    expect(
      await screen.findByText('Nothing has reached the receiver for 50 deliveries in a row, or for 3 days.'),
    ).toBeVisible()
    expect(screen.getByRole('button', { name: 'Send a test' })).toBeDisabled()
    await user.click(screen.getByRole('button', { name: 'Switch on again' }))
    expect(await screen.findByText('Webhook switched on')).toBeVisible()
    await waitFor(() => expect(screen.getByRole('button', { name: 'Send a test' })).toBeEnabled())
    expect(sent).toEqual([{ call: 'change', body: { enabled: true } }])
  })

  it('keeps the focus of a keyboard while its buttons replace each other', async () => {
    const { user } = open(path)
    await user.click(await screen.findByRole('button', { name: 'Change' }))
    expect(screen.getByLabelText('Address')).toHaveFocus()
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.getByRole('button', { name: 'Change' })).toHaveFocus())
    await user.keyboard('{Enter}')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Webhook changed')).toBeVisible()
    await waitFor(() => expect(screen.getByRole('button', { name: 'Change' })).toHaveFocus())
    await user.click(screen.getByRole('button', { name: 'Switch off' }))
    const switchOn = await screen.findByRole('button', { name: 'Switch on again' })
    await waitFor(() => expect(screen.getByRole('button', { name: 'Change' })).toHaveFocus())
    await user.click(switchOn)
    await waitFor(() => expect(switchOn).not.toBeInTheDocument())
    await waitFor(() => expect(screen.getByRole('button', { name: 'Change' })).toHaveFocus())
  })

  it('has states, failures and reasons that this page does not know', async () => {
    webhooks = [aWebhook({ enabled: false, offReason: 'other_reason' as Webhook['offReason'] })]
    const failure = 'other_failure' as WebhookDelivery['failure']
    deliveries = [aDelivery({ state: 'other_state' as WebhookDelivery['state'], failure })]
    open(path)
    expect(await screen.findByText('other_state')).toBeVisible()
    expect(screen.getByText('other_failure')).toBeVisible()
    expect(screen.getByText('other_reason')).toBeVisible()
  })

  it('gets another secret after a question', async () => {
    const { user } = open(path)
    await user.click(await screen.findByRole('button', { name: 'Replace the secret' }))
    const dialog = await screen.findByRole('alertdialog', { name: 'Replace the secret?' })
    await user.click(within(dialog).getByRole('button', { name: 'Replace' }))
    expect(await screen.findByText(secret)).toBeVisible()
    expect(await screen.findByText(/^The previous secret also stays valid until .*\.$/)).toBeVisible()
  })

  it('is changed in a form with its values', async () => {
    const { user } = open(path)
    await user.click(await screen.findByRole('button', { name: 'Change' }))
    expect(screen.getByLabelText('Address')).toHaveValue('https://receiver.example/hook')
    expect(screen.queryByLabelText('Format')).not.toBeInTheDocument()
    expect(screen.getByLabelText('Map')).toHaveValue('Skyline Run')
    await user.click(screen.getByRole('button', { name: 'All maps' }))
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Webhook changed')).toBeVisible()
    expect(sent).toEqual([
      {
        call: 'change',
        body: {
          url: 'https://receiver.example/hook',
          description: 'Overlay',
          filter: { types: ['record', 'map'], mode: 'Classic', map: null, player: null },
        },
      },
    ])
  })

  it('is not changed for a player who was typed and not chosen', async () => {
    server.use(http.get(url('/players/search'), () => HttpResponse.json(page([]))))
    const { user } = open(path)
    await user.click(await screen.findByRole('button', { name: 'Change' }))
    await user.type(screen.getByLabelText('Player'), 'nobody{Enter}')
    expect(await screen.findByText('No player has this name.')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect((await screen.findAllByText('Choose one of the players, or clear the field.'))[0]).toBeVisible()
    expect(sent).toEqual([])
  })

  it('is deleted after a question', async () => {
    const { user, router } = open(path)
    await user.click(await screen.findByRole('button', { name: 'Delete' }))
    const dialog = await screen.findByRole('alertdialog', { name: 'Delete Overlay?' })
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('You have no webhooks.')).toBeVisible()
    expect(router.state.location.pathname).toBe('/settings/webhooks')
  })

  it('that there is not says so', async () => {
    open('/settings/webhooks/nothing')
    expect(await screen.findByText('There is no such webhook.')).toBeVisible()
  })
})
