import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { makeStore } from '@/store/store'
import { aMap, someProgress } from '@/test/fixtures'
import { server, url } from '@/test/server'
import { api } from '.'
import { deskApi } from './desk'

const { submitMap, editMap, undoMapEdit } = deskApi.endpoints

const changes = {
  submitted: submitMap.initiate({ mapSubmission: { replayFile: new Blob(), mapImage: new Blob(), metadata: {} } }),
  edited: editMap.initiate({ id: 'a', mapEditForm: { metadata: { updatedAt: aMap().updatedAt } } }),
  'edited back': undoMapEdit.initiate({ id: 'a', edit: 'e1', undoReason: { reason: 'It was better.' } }),
}

it.each(Object.entries(changes))('the own progress is asked for again after a map was %s', async (_, change) => {
  let asked = 0
  const changed = () => HttpResponse.json({ success: true, data: aMap() })
  server.use(
    http.get(url('/records/progress'), () => {
      asked++
      return HttpResponse.json({ success: true, data: [someProgress()] })
    }),
    http.post(url('/maps/submit'), changed),
    http.patch(url('/maps/:id'), changed),
    http.post(url('/maps/:id/edits/:edit/undo'), changed),
  )
  const store = makeStore()
  await store.dispatch(api.endpoints.getProgress.initiate({ maps: 'a,b' }))
  await change(store.dispatch, store.getState, undefined)
  await Promise.all(store.dispatch(api.util.getRunningQueriesThunk()))
  expect(asked).toBe(2)
})
