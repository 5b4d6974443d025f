import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { describe, expect, it, onTestFinished } from 'vitest'
import { activateLocale } from '@/locales'
import { cloudstep } from '@/test/fixtures'
import { renderRoute } from '@/test/render'
import { server, url } from '@/test/server'

describe('the settings', () => {
  it('list their pages, and mark the one that is open', async () => {
    server.use(http.get(url('/inbox/settings'), () => HttpResponse.json({ success: true, data: [] })))
    const { user } = renderRoute('/settings', { user: cloudstep })
    expect(await screen.findByRole('heading', { level: 1, name: 'Account' })).toBeVisible()
    const menu = within(screen.getByRole('navigation', { name: 'Settings' }))
    expect(menu.getByRole('link', { current: 'page' })).toHaveTextContent('Account')
    await user.click(menu.getByRole('link', { name: 'Notifications' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Notifications' })).toBeVisible()
    expect(menu.getByRole('link', { current: 'page' })).toHaveTextContent('Notifications')
  })

  it('are a menu entry of the account', async () => {
    const { user } = renderRoute('/privacy', { user: cloudstep })
    await user.click(await screen.findByRole('button', { name: 'Account of cloudstep' }))
    expect(await screen.findByRole('menuitem', { name: 'Settings' })).toHaveAttribute('href', '/settings')
  })

  it.each(['/settings', '/settings/notifications'])('send a visitor from %s to the login and back', async (path) => {
    const { router } = renderRoute(path)
    await waitFor(() => expect(router.state.location.pathname).toBe('/login-with-bonk'))
    expect(router.state.location.state).toEqual({ returnTo: path })
  })

  it('of the inbox are found at their old address', async () => {
    server.use(http.get(url('/inbox/settings'), () => HttpResponse.json({ success: true, data: [] })))
    const { router } = renderRoute('/inbox/settings', { user: cloudstep })
    expect(await screen.findByRole('heading', { level: 1, name: 'Notifications' })).toBeVisible()
    expect(router.state.location.pathname).toBe('/settings/notifications')
  })
})

describe('the account', () => {
  it('shows the name, the level and the roles, and changes the avatar', async () => {
    const { user } = renderRoute('/settings', { user: { ...cloudstep, roles: ['validator'] } })
    const main = within(await screen.findByRole('main'))
    expect(await main.findByText('cloudstep')).toBeVisible()
    expect(main.getByText('Level 57')).toBeVisible()
    expect(within(main.getByRole('list', { name: 'Roles' })).getByText('Validator')).toBeVisible()
    expect(main.getByRole('link', { name: 'My Profile' })).toHaveAttribute('href', `/player/${cloudstep._id}`)
    await user.click(main.getByRole('button', { name: 'Edit avatar' }))
    expect(await screen.findByRole('dialog', { name: 'Edit avatar' })).toBeVisible()
  })

  it('keeps the language that the player chooses', async () => {
    onTestFinished(() => {
      activateLocale('en')
      // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no Cookie Store API.
      document.cookie = 'lang=; max-age=0'
    })
    const chosen: unknown[] = []
    server.use(
      http.patch(url('/me/account'), async ({ request }) => {
        chosen.push(await request.json())
        return HttpResponse.json({ success: true, data: { language: 'pl' } })
      }),
    )
    const { user } = renderRoute('/settings', { user: cloudstep })
    const main = within(await screen.findByRole('main'))
    await user.selectOptions(await main.findByRole('combobox', { name: 'Language' }), 'Polski')
    expect(await main.findByRole('combobox', { name: 'Język' })).toHaveValue('pl')
    await waitFor(() => expect(chosen).toEqual([{ language: 'pl' }]))
    expect(document.cookie).toBe('lang=pl')
  })

  it('ends the session', async () => {
    server.use(
      http.post(url('/auth/logout'), () => HttpResponse.json({ success: true })),
      http.get(url('/*'), () => HttpResponse.json({ success: true, data: [], pagination: { total: 0 } })),
    )
    const { user, router, store } = renderRoute('/settings', { user: cloudstep })
    await user.click(await screen.findByRole('button', { name: 'Log Out' }))
    expect(await screen.findByText('Successfully logged out!')).toBeVisible()
    expect(store.getState().session.user).toBeNull()
    await waitFor(() => expect(router.state.location.pathname).toBe('/'))
  })
})
