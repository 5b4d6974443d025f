import { render, screen } from '@testing-library/react'
import { createMemoryRouter, type DataRouter } from 'react-router'
import { expect, it, vi } from 'vitest'
import { SiteRouter } from './SiteRouter'

// What a router is that finishes loading after it was rendered and before it has a subscriber.
async function lateRouter(): Promise<DataRouter> {
  const router = createMemoryRouter([
    { path: '/', hydrateFallbackElement: <p>Loading...</p>, loader: () => null, element: <h1>The page</h1> },
  ])
  const before = router.state
  await vi.waitFor(() => expect(router.state.initialized).toBe(true))
  let subscribed = false
  return new Proxy(router, {
    get(target, name) {
      if (name === 'state') return subscribed ? target.state : before
      if (name === 'subscribe') subscribed = true
      return Reflect.get(target, name)
    },
  })
}

it('shows a page that was loaded between the rendering and the subscription', async () => {
  render(<SiteRouter router={await lateRouter()} />)
  expect(screen.getByRole('heading', { name: 'The page' })).toBeInTheDocument()
})

it('shows a page that is loaded later', async () => {
  const router = createMemoryRouter([
    { path: '/', hydrateFallbackElement: <p>Loading...</p>, loader: () => null, element: <h1>The page</h1> },
  ])
  render(<SiteRouter router={router} />)
  expect(await screen.findByRole('heading', { name: 'The page' })).toBeInTheDocument()
})
