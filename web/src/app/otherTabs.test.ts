import { waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { loggedIn } from '@/session/session'
import { makeStore } from '@/store/store'
import { cloudstep, mossfoot } from '@/test/fixtures'
import { announceLogout, followLogouts } from './otherTabs'

it('a logout in one tab ends the session of the same player in the others', async () => {
  const store = makeStore()
  store.dispatch(loggedIn({ accessToken: 'token', user: cloudstep }))
  const end = followLogouts(store)
  announceLogout(mossfoot._id)
  expect(store.getState().session.user).toEqual(cloudstep)
  announceLogout(cloudstep._id)
  await waitFor(() => expect(store.getState().session).toEqual({ accessToken: null, user: null }))
  end()
})
