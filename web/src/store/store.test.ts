import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { api } from '@/api'
import { server, url } from '@/test/server'
import { makeStore } from './store'

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
