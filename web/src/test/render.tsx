import { render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { Providers } from '@/app/Providers'
import { routes } from '@/app/router'
import { makeStore } from '@/app/store'
import { WithChakra } from '@/shared/chakra/WithChakra'
import { loggedIn, type User } from '@/shared/session/sessionSlice'

interface Options {
  user?: User
}

// renderRoute opens a page of the site as a visitor, or as somebody who is logged in.
export function renderRoute(path: string, { user }: Options = {}) {
  const store = storeFor(user)
  const router = createMemoryRouter(routes, { initialEntries: [path] })
  const view = render(
    <Providers store={store}>
      <RouterProvider router={router} />
    </Providers>,
  )
  return { ...view, store, router, user: userEvent.setup() }
}

// renderPart draws one component in the site's providers and in Chakra's, at the address '/'.
export function renderPart(part: ReactNode, { user }: Options = {}) {
  const store = storeFor(user)
  const router = createMemoryRouter([{ path: '*', element: <WithChakra>{part}</WithChakra> }])
  const view = render(
    <Providers store={store}>
      <RouterProvider router={router} />
    </Providers>,
  )
  return { ...view, store, router, user: userEvent.setup() }
}

function storeFor(user?: User) {
  const store = makeStore()
  if (user) store.dispatch(loggedIn({ accessToken: 'token', user }))
  return store
}
