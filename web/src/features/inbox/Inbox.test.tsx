import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { InboxGroup, InboxRead } from '@/api'
import { aGroup, cloudstep, mossfoot } from '@/test/fixtures'
import { renderRoute } from '@/test/render'
import { problem, server, url } from '@/test/server'
import { untranslated } from '@/test/untranslated'

const board = { kind: 'leaderboard', id: aGroup().map?._id ?? '' } as const
const lost = aGroup({ _id: 'g1' })
const passed = aGroup({
  _id: 'g2',
  kind: 'passed',
  count: 3,
  actorCount: 3,
  from: 2,
  to: 5,
  pointsLost: 93.4,
  link: board,
})
const removed = aGroup({ _id: 'g3', kind: 'followed_record', read: true, removedSince: true, link: board })

// inboxOf answers with groups, which can be read.
function inboxOf(groups: InboxGroup[], next: string | null = null) {
  const asked: URLSearchParams[] = []
  const read: InboxRead[] = []
  let current = groups
  const unread = () => ({ success: true, data: { unread: current.filter((group) => !group.read).length } })
  server.use(
    http.get(url('/inbox/count'), () => HttpResponse.json(unread())),
    http.get(url('/inbox'), ({ request }) => {
      asked.push(new URL(request.url).searchParams)
      return HttpResponse.json({ success: true, data: current, pagination: { limit: 20, next } })
    }),
    http.post(url('/inbox/read'), async ({ request }) => {
      const body = (await request.json()) as InboxRead
      read.push(body)
      current = current.map((group) => ({ ...group, read: group.read || !body.group || body.group === group._id }))
      return HttpResponse.json(unread())
    }),
  )
  return { asked, read }
}

const items = () => within(screen.getByRole('list', { name: 'Notifications in the inbox' })).getAllByRole('listitem')

describe('the bell', () => {
  it('is not there for visitors', async () => {
    renderRoute('/privacy')
    await screen.findByRole('link', { name: 'Login with Bonk.io' })
    expect(screen.queryByRole('button', { name: /^Inbox/ })).toBeNull()
  })

  it.each([
    [0, 'Inbox', ''],
    [1, 'Inbox, 1 unread', '1'],
    [99, 'Inbox, 99 unread', '99'],
    [120, 'Inbox, 120 unread', '99+'],
  ])('says that %i groups are unread', async (unread, name, text) => {
    server.use(http.get(url('/inbox/count'), () => HttpResponse.json({ success: true, data: { unread } })))
    renderRoute('/privacy', { user: cloudstep })
    expect(await screen.findByRole('button', { name })).toHaveTextContent(new RegExp(`^${text.replace('+', '\\+')}$`))
  })

  it('opens the newest groups, whose link marks them as read and closes them', async () => {
    const { read } = inboxOf([lost, passed, removed])
    server.use(
      http.get(url('/maps/:id'), () => problem(404)),
      http.get(url('/records'), () => problem(404)),
    )
    const { user, router } = renderRoute('/privacy', { user: cloudstep })
    await user.click(await screen.findByRole('button', { name: 'Inbox, 2 unread' }))
    const box = await screen.findByRole('dialog', { name: 'Inbox' })
    expect(await within(box).findAllByRole('listitem')).toHaveLength(3)
    expect(within(box).getByRole('link', { name: 'See all' })).toHaveAttribute('href', '/inbox')
    const link = within(box).getByRole('link', { name: '3 players passed you on Skyline Run' })
    expect(untranslated(link)).toEqual(['Skyline Run'])
    await user.click(link)
    await waitFor(() => expect(router.state.location.pathname).toBe(`/leaderboard/${passed.map?._id}`))
    expect(await screen.findByRole('button', { name: 'Inbox, 1 unread' })).toBeVisible()
    expect(read).toEqual([{ group: 'g2' }])
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Inbox' })).toBeNull())
  })

  it('asks for the newest groups each time that it is opened', async () => {
    inboxOf([lost])
    const { user } = renderRoute('/privacy', { user: cloudstep })
    const openBell = async () => user.click(await screen.findByRole('button', { name: 'Inbox, 1 unread' }))
    await openBell()
    const groups = () => within(screen.getByRole('dialog', { name: 'Inbox' })).getAllByRole('listitem')
    await waitFor(() => expect(groups()).toHaveLength(1))
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Inbox' })).toBeNull())
    inboxOf([{ ...passed, read: true }, lost])
    await openBell()
    await waitFor(() => expect(groups()).toHaveLength(2))
  })

  it('marks all as read through the newest that is shown', async () => {
    const { read } = inboxOf([lost, passed])
    const { user } = renderRoute('/privacy', { user: cloudstep })
    await user.click(await screen.findByRole('button', { name: 'Inbox, 2 unread' }))
    const markAll = await screen.findByRole('button', { name: 'Mark all as read' })
    await waitFor(() => expect(markAll).toBeEnabled())
    await user.click(markAll)
    expect(await screen.findByRole('button', { name: 'Inbox' })).toBeVisible()
    expect(read).toEqual([{ through: 'g1' }])
    await waitFor(() => expect(screen.getByRole('button', { name: 'Mark all as read' })).toBeDisabled())
  })

  it('marks all as read where only older groups than those shown are unread', async () => {
    const { read } = inboxOf([removed])
    let unread = 3
    server.use(http.get(url('/inbox/count'), () => HttpResponse.json({ success: true, data: { unread } })))
    const { user } = renderRoute('/privacy', { user: cloudstep })
    await user.click(await screen.findByRole('button', { name: 'Inbox, 3 unread' }))
    const markAll = await screen.findByRole('button', { name: 'Mark all as read' })
    await waitFor(() => expect(markAll).toBeEnabled())
    unread = 0
    await user.click(markAll)
    await waitFor(() => expect(markAll).toBeDisabled())
    expect(read).toEqual([{ through: 'g3' }])
  })

  it('says that the inbox is empty, or could not be loaded', async () => {
    server.use(http.get(url('/inbox'), () => problem(503)))
    const { user } = renderRoute('/privacy', { user: cloudstep })
    await user.click(await screen.findByRole('button', { name: 'Inbox' }))
    expect(await screen.findByText('This could not be loaded.')).toBeVisible()
    inboxOf([])
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('Your inbox is empty.')).toBeVisible()
  })
})

describe('the page of the inbox', () => {
  it('sends visitors to the login', async () => {
    const { router } = renderRoute('/inbox?unread=true')
    await waitFor(() => expect(router.state.location.pathname).toBe('/login-with-bonk'))
    expect(router.state.location.state).toEqual({ returnTo: '/inbox?unread=true' })
  })

  it('lists groups with what happened, when, and whether its cause was removed', async () => {
    inboxOf([{ ...lost, at: new Date(Date.now() - 7_300_000).toISOString() }, passed, removed])
    renderRoute('/inbox', { user: cloudstep })
    expect(await screen.findByRole('heading', { level: 1, name: 'Inbox' })).toBeVisible()
    await waitFor(() => expect(items()).toHaveLength(3))
    const [first, second, third] = items()
    expect(first).toHaveTextContent('mossfoot broke your world record on Skyline Run2 hours agoTime: 00:41.27')
    expect(within(first!).getByRole('img', { name: 'Unread' })).toBeInTheDocument()
    expect(second).toHaveTextContent('3 players passed you on Skyline Run11 May 2026Time: 00:41.27From place 2 to 5')
    expect(third).toHaveTextContent('Removed since')
    expect(within(third!).queryByRole('img', { name: 'Unread' })).toBeNull()
    expect(within(third!).getByRole('link')).toHaveAttribute('href', `/leaderboard/${removed.map?._id}`)
    expect(document.title).toMatch(/^Inbox/)
  })

  it('has groups of a kind that it does not know', async () => {
    inboxOf([{ ...lost, kind: 'of_a_newer_server' as InboxGroup['kind'] }])
    renderRoute('/inbox', { user: cloudstep })
    const link = await screen.findByRole('link', { name: 'There is something new about Skyline Run' })
    expect(link).toHaveAttribute('href', `/record/${lost.recordId}`)
  })

  it('marks one group as read', async () => {
    const { read } = inboxOf([lost, passed])
    const { user } = renderRoute('/inbox', { user: cloudstep })
    const name = 'Mark as read: 3 players passed you on Skyline Run'
    await user.click(await screen.findByRole('button', { name }))
    await waitFor(() => expect(screen.queryByRole('button', { name })).toBeNull())
    expect(read).toEqual([{ group: 'g2' }])
    const link = screen.getByRole('link', { name: '3 players passed you on Skyline Run' })
    await waitFor(() => expect(link).toHaveFocus())
  })

  it('keeps the focus where a group leaves the list because it was read', async () => {
    let groups = [passed, lost]
    inboxOf([])
    server.use(
      http.get(url('/inbox'), () =>
        HttpResponse.json({ success: true, data: groups, pagination: { limit: 20, next: null } }),
      ),
      http.post(url('/inbox/read'), () => {
        groups = groups.slice(1)
        return HttpResponse.json({ success: true, data: { unread: groups.length } })
      }),
    )
    const { user } = renderRoute('/inbox?unread=true', { user: cloudstep })
    await user.click(await screen.findByRole('button', { name: 'Mark as read: 3 players passed you on Skyline Run' }))
    const left = 'Mark as read: mossfoot broke your world record on Skyline Run'
    await waitFor(() => expect(screen.getByRole('button', { name: left })).toHaveFocus())
    await user.keyboard('{Enter}')
    expect(await screen.findByText('No notifications found.')).toBeVisible()
    await waitFor(() => expect(screen.getByRole('checkbox', { name: 'Unread only' })).toHaveFocus())
  })

  it('reports that a group could not be marked', async () => {
    inboxOf([lost])
    server.use(http.post(url('/inbox/read'), () => problem(503)))
    const { user } = renderRoute('/inbox', { user: cloudstep })
    await user.click(await screen.findByRole('button', { name: /^Mark as read/ }))
    expect(await screen.findByText('This could not be marked as read')).toBeVisible()
  })

  it('has its filters in the address', async () => {
    const { asked } = inboxOf([lost])
    const { user, router } = renderRoute('/inbox', { user: cloudstep })
    await user.selectOptions(await screen.findByLabelText('Kind'), 'Somebody passes you')
    await user.click(screen.getByRole('checkbox', { name: 'Unread only' }))
    await waitFor(() => expect(router.state.location.search).toBe('?unread=true&kind=passed'))
    await waitFor(() => expect(asked.at(-1)?.toString()).toBe('unread=true&kind=passed&limit=20'))
    expect(screen.getByRole('checkbox', { name: 'Unread only' })).toBeChecked()
    // Others would be marked, too.
    expect(screen.queryByRole('button', { name: 'Mark all as read' })).toBeNull()
  })

  it('leads to older groups and back', async () => {
    const { asked } = inboxOf([lost], 'g1')
    const { user, router } = renderRoute('/inbox?unread=true', { user: cloudstep })
    await user.click(await screen.findByRole('link', { name: 'Older' }))
    await waitFor(() => expect(asked.at(-1)?.toString()).toBe('unread=true&before=g1&limit=20'))
    await user.click(await screen.findByRole('link', { name: 'Newest' }))
    expect(router.state.location.search).toBe('?unread=true')
  })

  it('ignores a kind that there is not, and says that nothing was found', async () => {
    const { asked } = inboxOf([])
    renderRoute('/inbox?kind=constructor&unread=true', { user: cloudstep })
    expect(await screen.findByText('No notifications found.')).toBeVisible()
    expect(asked[0]?.toString()).toBe('unread=true&limit=20')
  })

  it('leads to the maps while it is empty', async () => {
    inboxOf([])
    renderRoute('/inbox', { user: cloudstep })
    expect(await screen.findByRole('link', { name: 'Browse Maps' })).toBeVisible()
  })
})

describe('the page of what is followed', () => {
  it('lists players and maps, which can be unfollowed', async () => {
    const skyline = { _id: 'a', name: 'Skyline Run' }
    let players = [mossfoot]
    server.use(
      http.get(url('/follows'), () => HttpResponse.json({ success: true, data: { players, maps: [skyline] } })),
      http.delete(url(`/follows/players/${mossfoot._id}`), () => {
        players = []
        return new HttpResponse(null, { status: 204 })
      }),
    )
    const { user } = renderRoute('/inbox/following', { user: cloudstep })
    expect(await screen.findByRole('link', { name: 'mossfoot' })).toHaveAttribute('href', `/player/${mossfoot._id}`)
    expect(screen.getByRole('link', { name: 'Skyline Run' })).toHaveAttribute('href', '/leaderboard/a')
    expect(screen.getByRole('button', { name: 'Unfollow Skyline Run' })).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Unfollow mossfoot' }))
    expect(await screen.findByText('You follow no players.')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Unfollow Skyline Run' })).toHaveFocus()
  })

  it('says that nothing is followed', async () => {
    renderRoute('/inbox/following', { user: cloudstep })
    expect(await screen.findByText('You follow no players and no maps yet.')).toBeVisible()
  })
})

describe('the settings', () => {
  const settings = [
    { kind: 'record_lost', delivery: 'inbox' },
    { kind: 'passed', delivery: 'off' },
    { kind: 'of_a_newer_server', delivery: 'off' },
  ]
  const requestPermission = vi.fn()

  // permit stubs the browser's notifications with a permission and what the player answers.
  const permit = (permission: NotificationPermission, answer = permission) => {
    const stub = { permission, requestPermission }
    requestPermission.mockImplementation(async () => {
      stub.permission = answer
      return answer
    })
    vi.stubGlobal('Notification', stub)
  }

  beforeEach(() => {
    requestPermission.mockReset()
    server.use(http.get(url('/inbox/settings'), () => HttpResponse.json({ success: true, data: settings })))
    return () => vi.unstubAllGlobals()
  })

  it('are saved, and ask the browser only for its own notifications', async () => {
    permit('default', 'granted')
    let saved: unknown
    server.use(
      http.put(url('/inbox/settings'), async ({ request }) => {
        saved = await request.json()
        return HttpResponse.json({ success: true, data: settings })
      }),
    )
    const { user } = renderRoute('/settings/notifications', { user: cloudstep })
    const passes = await screen.findByLabelText('Somebody passes you')
    expect(passes).toHaveValue('off')
    expect(screen.getAllByRole('combobox', { name: /you/ })).toHaveLength(2)
    await user.selectOptions(passes, 'Inbox')
    expect(requestPermission).not.toHaveBeenCalled()
    await user.selectOptions(passes, 'Inbox and browser notification')
    expect(requestPermission).toHaveBeenCalledOnce()
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Settings saved')).toBeVisible()
    // Another tab may have changed the other kind meanwhile.
    expect(saved).toEqual({ settings: [{ kind: 'passed', delivery: 'browser' }] })
    await user.selectOptions(passes, 'Off')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(saved).toEqual({ settings: [{ kind: 'passed', delivery: 'off' }] }))
  })

  it('say that the browser shows none', async () => {
    permit('default', 'denied')
    const { user } = renderRoute('/settings/notifications', { user: cloudstep })
    await user.selectOptions(
      await screen.findByLabelText('Somebody breaks your world record'),
      'Inbox and browser notification',
    )
    expect(await screen.findByText(/^This browser shows no notifications of this site\./)).toBeVisible()
  })

  it('say that another browser has not been asked yet', async () => {
    permit('default', 'granted')
    server.use(
      http.get(url('/inbox/settings'), () =>
        HttpResponse.json({ success: true, data: [{ kind: 'passed', delivery: 'browser' }] }),
      ),
    )
    const { user } = renderRoute('/settings/notifications', { user: cloudstep })
    await user.click(await screen.findByRole('button', { name: 'Allow notifications' }))
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
  })

  it('report that they could not be saved', async () => {
    server.use(http.put(url('/inbox/settings'), () => problem(503)))
    const { user } = renderRoute('/settings/notifications', { user: cloudstep })
    await user.click(await screen.findByRole('button', { name: 'Save' }))
    expect((await screen.findAllByText('Failed to save the settings'))[0]).toBeVisible()
  })
})
