import { render, screen } from '@testing-library/react'
import { createMemoryRouter, type RouteObject, RouterProvider } from 'react-router'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { makeStore } from '@/store/store'
import { Providers } from './Providers'
import { createRoutes } from './router'

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
})

// openBroken opens a page inside the layout whose code fails in this way.
function openBroken(failure: Error) {
  const store = makeStore()
  const [root] = createRoutes(store)
  const [pages] = root?.children ?? []
  const broken = { ...pages, children: [{ path: 'broken', lazy: () => Promise.reject(failure) }] }
  const router = createMemoryRouter([{ ...root, children: [broken] }] as RouteObject[], {
    initialEntries: ['/broken'],
  })
  render(
    <Providers store={makeStore()}>
      <RouterProvider router={router} />
    </Providers>,
  )
}

describe('a page that fails', () => {
  it.each([
    ['breaks', new Error('A bug.'), 'Something went wrong'],
    [
      'could not be fetched',
      new TypeError('Failed to fetch dynamically imported module: /a.js'),
      'This page could not be loaded',
    ],
  ])('has one main landmark where it %s', async (_, failure, heading) => {
    openBroken(failure)
    expect(await screen.findByRole('heading', { name: heading, level: 1 })).toBeVisible()
    expect(screen.getAllByRole('main')).toHaveLength(1)
    expect(screen.getByRole('banner')).toBeInTheDocument()
  })
})
