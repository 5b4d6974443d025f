import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import type { NewToken, PersonalToken } from '@/api/settings'
import { cloudstep } from '@/test/fixtures'
import { paste, renderRoute } from '@/test/render'
import { problem, server, url } from '@/test/server'
import { aToken } from '@/test/settingsFixtures'

const secret = `cz_${'a'.repeat(43)}`
let tokens: PersonalToken[]
let sent: NewToken[]

// The server keeps the tokens, the newest first.
beforeEach(() => {
  tokens = [aToken()]
  sent = []
  server.use(
    http.get(url('/tokens'), () => HttpResponse.json({ success: true, data: tokens })),
    http.post(url('/tokens'), async ({ request }) => {
      const body = (await request.json()) as NewToken
      sent.push(body)
      const personalToken = aToken({ _id: 'new', name: body.name, scopes: body.scopes, lastUsedOn: null })
      tokens = [personalToken, ...tokens]
      return HttpResponse.json({ success: true, data: { token: secret, personalToken } }, { status: 201 })
    }),
    http.delete(url('/tokens/:id'), ({ params }) => {
      tokens = tokens.filter(({ _id }) => _id !== params.id)
      return new HttpResponse(null, { status: 204 })
    }),
  )
})

const open = () => renderRoute('/settings/tokens', { user: cloudstep })

describe('the tokens', () => {
  it('are listed with what they may do, their expiry and the day of their last use', async () => {
    tokens = [aToken(), aToken({ _id: 'other', name: 'Overlay', scopes: ['follows'], lastUsedOn: null })]
    open()
    const [first, second] = within(await screen.findByRole('list', { name: 'Tokens' })).getAllByRole('listitem', {
      name: '',
    })
    expect(first).toHaveTextContent('BotSubmits replays in your name.')
    expect(first).toHaveTextContent('Expires on 8 Aug 2026. Last used on 11 May 2026.')
    expect(second).toBeDefined()
    expect(screen.getByText(/Never used\./)).toBeVisible()
    expect(screen.getByText('You have 2 tokens, and may have up to 10.')).toBeVisible()
    expect(screen.getByRole('region', { name: 'Example' })).toHaveTextContent('curl -H "Authorization: Bearer $token"')
  })

  it('can be made; the new one is shown once, with the focus', async () => {
    tokens = []
    const { user } = open()
    expect(await screen.findByText('You have no tokens.')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'New token' }))
    await paste(user, screen.getByLabelText('Name'), 'Bot on my server')
    await user.click(screen.getByRole('checkbox', { name: /^Read the inbox/ }))
    await user.selectOptions(screen.getByLabelText('Expires'), 'In 7 days')
    await user.click(screen.getByRole('button', { name: 'Create token' }))
    const shown = await screen.findByRole('region', { name: 'Your new token Bot on my server' })
    expect(shown).toHaveFocus()
    expect(within(shown).getByText(secret)).toBeVisible()
    expect(within(shown).getByText(/^Copy it now: it is shown only once\./)).toBeVisible()
    expect(sent).toEqual([{ name: 'Bot on my server', scopes: ['inbox:read'], expiresInDays: 7 }])
    await user.click(within(shown).getByRole('button', { name: 'Copy the token' }))
    expect(await within(shown).findByRole('button', { name: 'Copied' })).toBeVisible()
    expect(await navigator.clipboard.readText()).toBe(secret)
    await user.click(within(shown).getByRole('button', { name: 'I have saved it' }))
    expect(screen.queryByText(secret)).not.toBeInTheDocument()
    await waitFor(() => expect(screen.getByRole('button', { name: 'New token' })).toHaveFocus())
  })

  it('need a name and a scope', async () => {
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: 'New token' }))
    await user.click(screen.getByRole('button', { name: 'Create token' }))
    expect((await screen.findAllByText('A name is required'))[0]).toBeVisible()
    expect(screen.getAllByText('Choose what the token is for.')[0]).toBeVisible()
    expect(sent).toEqual([])
  })

  it('show what the server refuses at its field', async () => {
    const errors = [{ field: 'name', message: 'The name has characters that cannot be seen.' }]
    server.use(
      http.post(url('/tokens'), () =>
        HttpResponse.json(
          { success: false, code: 'token_malformed', message: 'Not made.', requestId: '1', errors },
          { status: 422 },
        ),
      ),
    )
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: 'New token' }))
    await user.type(screen.getByLabelText('Name'), 'Bot')
    await user.click(screen.getByRole('checkbox', { name: /^Follow/ }))
    await user.click(screen.getByRole('button', { name: 'Create token' }))
    expect((await screen.findAllByText('The name has characters that cannot be seen.')).length).toBe(2)
    expect(screen.getByLabelText('Name')).toHaveAttribute('aria-invalid', 'true')
  })

  it.each([
    [problem(409, { code: 'tokens_full', message: 'You have 10 tokens.' }), 'You have 10 tokens.'],
    [problem(403, { code: 'not_allowed', message: 'You may not do this.' }), 'You may not do this.'],
    [problem(429, { code: 'too_often', message: 'Too many requests.' }), 'Too many requests.'],
    [problem(503), 'Failed to create the token'],
  ])('say why none was made', async (answer, said) => {
    server.use(http.post(url('/tokens'), () => answer.clone()))
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: 'New token' }))
    await user.type(screen.getByLabelText('Name'), 'Bot')
    await user.click(screen.getByRole('checkbox', { name: /^Follow/ }))
    await user.click(screen.getByRole('button', { name: 'Create token' }))
    expect((await screen.findAllByText(said))[0]).toBeVisible()
  })

  it('are ten at most', async () => {
    tokens = Array.from({ length: 10 }, (_, i) => aToken({ _id: `t${i}`, name: `Bot ${i}` }))
    open()
    expect(await screen.findByText('You have 10 tokens, the maximum. Revoke one to create another.')).toBeVisible()
    expect(screen.getByRole('button', { name: 'New token' })).toBeDisabled()
  })

  it('are revoked after a question', async () => {
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: 'Revoke Bot' }))
    const dialog = await screen.findByRole('alertdialog', { name: 'Revoke Bot?' })
    expect(dialog).toHaveTextContent('Programs that use it stop working at once.')
    await user.click(within(dialog).getByRole('button', { name: 'Revoke' }))
    expect(await screen.findByText('You have no tokens.')).toBeVisible()
    expect(tokens).toEqual([])
  })

  it('that cannot be loaded can be asked for again', async () => {
    let away = true
    server.use(
      http.get(url('/tokens'), () => (away ? problem(503) : HttpResponse.json({ success: true, data: tokens }))),
    )
    const { user } = open()
    expect(await screen.findByText('This could not be loaded.')).toBeVisible()
    away = false
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('Bot')).toBeVisible()
  })
})
