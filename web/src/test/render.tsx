import { act, render } from '@testing-library/react'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { createMemoryRouter, type InitialEntry, RouterProvider } from 'react-router'
import { api } from '@/api'
import { Providers } from '@/app/Providers'
import { createRoutes } from '@/app/router'
import { loggedIn, type User } from '@/session/session'
import { type AppStore, makeStore } from '@/store/store'

interface Options {
  user?: User
}

// Without a delay, typing does not wait for the clock between two keys.
const newUser = () => userEvent.setup({ delay: null })

/** Opens a page of the site as a visitor, or as a player who is logged in. */
export function renderRoute(entry: InitialEntry, { user }: Options = {}) {
  const store = createStore(user)
  const router = createMemoryRouter(createRoutes(store), { initialEntries: [entry] })
  const view = render(
    <Providers store={store}>
      <RouterProvider router={router} />
    </Providers>,
  )
  return { ...view, store, router, user: newUser() }
}

/** Renders one component in the site's providers, at the address '/'. */
export function renderPart(part: ReactNode, { user }: Options = {}) {
  const store = createStore(user)
  const router = createMemoryRouter([{ path: '*', element: part }])
  const view = render(
    <Providers store={store}>
      <RouterProvider router={router} />
    </Providers>,
  )
  return { ...view, store, router, user: newUser() }
}

/** Pastes a text into a field: typing renders the page again for each key. */
export async function paste(user: UserEvent, field: Element, text: string) {
  await user.click(field)
  await user.paste(text)
}

/** Requests what is shown of tags again, as a mutation does. */
export async function reload(store: AppStore, tags: Parameters<typeof api.util.invalidateTags>[0]) {
  // Until the effects of the last rendering have run, no component is subscribed to the data, which would be dropped.
  await act(async () => {})
  act(() => {
    store.dispatch(api.util.invalidateTags(tags))
  })
}

const stores = new Set<AppStore>()

/** Ends the requests of the tests before: a late one would reach the server of the next test. */
export function endStores() {
  for (const store of stores) store.dispatch(api.util.resetApiState())
  stores.clear()
}

function createStore(user?: User) {
  const store = makeStore()
  stores.add(store)
  if (user) store.dispatch(loggedIn({ accessToken: 'token', user }))
  return store
}
