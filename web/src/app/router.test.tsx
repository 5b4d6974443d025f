import { msg } from '@lingui/core/macro'
import { render, screen, waitFor } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { createMemoryRouter, Outlet, RouterProvider } from 'react-router'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { takePageData } from '@/api/pageData'
import { type Page, preloadPage } from '@/routes/pages'
import { paths } from '@/routes/paths'
import { loggedIn } from '@/session/session'
import { makeStore } from '@/store/store'
import { cloudstep } from '@/test/fixtures'
import { problem, server, url } from '@/test/server'
import { Providers } from './Providers'
import { createRoutes, forgetPageDataOnNavigation, prefetchLinks } from './router'

it('fetches the data of a page when a pointer or the focus rests on a link to it', async () => {
  const requested: unknown[] = []
  server.use(
    http.get(url('/maps/:id'), ({ params }) => {
      requested.push(params.id)
      return problem(404)
    }),
  )
  onTestFinished(prefetchLinks(createRoutes(makeStore())))
  document.body.innerHTML = `
    <a id="focused" href="/replay-submit/first">First</a>
    <a id="crossed" href="/replay-submit/crossed">Crossed</a>
    <a href="/replay-submit/second"><b id="pointed">Second</b></a>
    <a id="download" href="/replay-submit/third" download>Third</a>`
  const point = (id: string) =>
    document.getElementById(id)?.dispatchEvent(new MouseEvent('pointerover', { bubbles: true }))
  document.getElementById('download')?.focus()
  document.getElementById('focused')?.focus()
  await waitFor(() => expect(requested).toEqual(['first']))
  point('crossed')
  point('pointed')
  await waitFor(() => expect(requested).toEqual(['first', 'second']))
})

it('keeps the data in the document until another page is opened, also when the first one is opened again', async () => {
  const script = document.createElement('script')
  script.type = 'application/json'
  script.id = 'page-data'
  script.textContent = JSON.stringify({ '/stats': { players: 1 }, '/records': { records: 2 } })
  document.head.append(script)
  onTestFinished(() => script.remove())
  const router = createMemoryRouter([
    { path: '/', loader: () => null },
    { path: '/privacy', loader: () => null },
  ])
  forgetPageDataOnNavigation(router)
  await waitFor(() => expect(router.state.initialized).toBe(true))
  expect(takePageData({ url: '/stats' })).toEqual({ players: 1 })
  await router.navigate('/privacy')
  await router.navigate('/')
  expect(takePageData({ url: '/records' })).toBeUndefined()
})

it('encodes ids in links', () => {
  expect(paths.player('a/b?c')).toBe('/player/a%2Fb%3Fc')
  expect(paths.recordSubmitFor('../login')).toBe('/replay-submit/..%2Flogin')
})

// A part of the site with pages of its own, of which one is for moderators.
function aTree() {
  const part = vi.fn(async () => ({ default: () => <Outlet /> }))
  const reports = vi.fn(async () => ({ default: () => <h1>Reports</h1> }))
  const log = vi.fn(async () => ({ default: () => <h1>Log</h1> }))
  const guard = { action: 'remove map', warning: msg`Log in to moderate.` } as const
  const tree: Page[] = [
    {
      path: '/moderation',
      load: part,
      guard,
      children: [
        { path: '/moderation/reports/:id?', load: reports },
        { path: '/moderation/log', load: log },
      ],
    },
  ]
  return { tree, part, reports, log }
}

function open(tree: Page[], path: string, roles?: string[]) {
  const store = makeStore()
  if (roles) store.dispatch(loggedIn({ accessToken: 'token', user: { ...cloudstep, roles } }))
  const router = createMemoryRouter(createRoutes(store, [...tree, { path: '*' }]), { initialEntries: [path] })
  render(
    <Providers store={store}>
      <RouterProvider router={router} />
    </Providers>,
  )
  return router
}

it.each([
  ['/moderation/log', ['part', 'log']],
  ['/moderation/reports/17', ['part', 'reports']],
  ['/moderation/reports', ['part', 'reports']],
  ['/moderation/nothing', []],
])('preloads the code of %s alone', (path, expected) => {
  const { tree, ...loads } = aTree()
  preloadPage(path, tree)
  expect(Object.entries(loads).flatMap(([name, load]) => (load.mock.calls.length > 0 ? [name] : []))).toEqual(expected)
})

it('opens a nested page for a player with the role', async () => {
  open(aTree().tree, '/moderation/log', ['moderator'])
  expect(await screen.findByRole('heading', { name: 'Log' })).toBeVisible()
})

it('refuses a nested page to a player without the role', async () => {
  open(aTree().tree, '/moderation/log', ['validator'])
  expect(await screen.findByRole('heading', { name: 'You may not open this page' })).toBeVisible()
  expect(screen.queryByRole('heading', { name: 'Log' })).not.toBeInTheDocument()
})

it('sends a visitor to the login', async () => {
  const router = open(aTree().tree, '/moderation/log')
  await waitFor(() => expect(router.state.location.pathname).toBe(paths.login))
  expect(router.state.location.state).toEqual({ returnTo: '/moderation/log' })
  expect(await screen.findByText('Log in to moderate.')).toBeInTheDocument()
})

describe('a guard of a part without a component', () => {
  const tree: Page[] = aTree().tree.map(({ load: _, ...part }) => part)

  it('opens a page inside for a player with the role', async () => {
    open(tree, '/moderation/log', ['moderator'])
    expect(await screen.findByRole('heading', { name: 'Log' })).toBeVisible()
  })

  it('refuses a page inside to a player without the role', async () => {
    open(tree, '/moderation/log', ['validator'])
    expect(await screen.findByRole('heading', { name: 'You may not open this page' })).toBeVisible()
    expect(screen.queryByRole('heading', { name: 'Log' })).not.toBeInTheDocument()
  })

  it('sends a visitor to the login', async () => {
    const router = open(tree, '/moderation/log')
    await waitFor(() => expect(router.state.location.pathname).toBe(paths.login))
    expect(router.state.location.state).toEqual({ returnTo: '/moderation/log' })
  })
})

it('says that a login cannot be checked, asks again, and then opens the page', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  server.use(http.get(url('/auth/refresh-token'), () => problem(503)))
  const router = open(aTree().tree, '/moderation/log')
  expect(await screen.findByRole('heading', { name: 'Your login cannot be checked right now' })).toBeVisible()
  expect(router.state.location.pathname).toBe('/moderation/log')
  const user = { ...cloudstep, roles: ['moderator'] }
  server.use(
    http.get(url('/auth/refresh-token'), () => HttpResponse.json({ success: true, accessToken: 'fresh', user })),
  )
  dispatchEvent(new Event('online'))
  expect(await screen.findByRole('heading', { name: 'Log' })).toBeVisible()
})

it('sends a visitor to the login once the server that was away has answered', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  server.use(http.get(url('/auth/refresh-token'), () => problem(503), { once: true }))
  const router = open(aTree().tree, '/moderation/log')
  await screen.findByRole('heading', { name: 'Your login cannot be checked right now' })
  dispatchEvent(new Event('online'))
  await waitFor(() => expect(router.state.location.pathname).toBe(paths.login))
})
