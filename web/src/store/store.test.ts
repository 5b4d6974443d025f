import { HttpResponse, http } from 'msw'
import { beforeEach, expect, it, vi } from 'vitest'
import { api } from '@/api'
import { deskApi } from '@/api/desk'
import { loggedIn, userChanged } from '@/session/session'
import { cloudstep } from '@/test/fixtures'
import { server, url } from '@/test/server'
import { makeStore } from './store'

beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}))

it('reports what cannot be serialized', () => {
  const { dispatch } = makeStore()
  dispatch(userChanged({ name: 'x' }))
  expect(console.error).not.toHaveBeenCalled()
  dispatch(loggedIn({ accessToken: 'token', user: { ...cloudstep, name: new Date() as unknown as string } }))
  expect(vi.mocked(console.error).mock.calls[0]?.[0]).toContain('non-serializable')
})

it('takes the files of uploads and drawings', async () => {
  server.use(
    http.post(url('/maps/drawing'), () =>
      HttpResponse.text('<svg/>', { headers: { 'Content-Type': 'image/svg+xml' } }),
    ),
  )
  const { dispatch } = makeStore()
  const mapDrawingRequest = { replayFile: new File(['x'], 'run.lbReplay') }
  const { data } = await dispatch(deskApi.endpoints.drawMap.initiate({ mapDrawingRequest }))
  expect(data).toHaveProperty('size', 6)
  expect(console.error).not.toHaveBeenCalled()
})

it.each([
  ['there is a network again', { refetchOnReconnect: true }, ['offline', 'online']],
  ['the tab is focused', { refetchOnFocus: true }, ['focus']],
])('fetches a query that asks for it again when %s', async (_, subscriptionOptions, events) => {
  let answers = 0
  server.use(
    http.get(url('/stats'), () => {
      answers++
      return HttpResponse.json({ success: true, data: {} })
    }),
  )
  const store = makeStore()
  const asking = store.dispatch(api.endpoints.getStats.initiate(undefined, { subscriptionOptions }))
  await asking
  for (const event of events) dispatchEvent(new Event(event))
  await expect.poll(() => answers).toBe(2)
  asking.unsubscribe()
})
