import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { makeStore } from '@/store/store'
import { aMap, aRecord, mapPoints, page, someProgress } from '@/test/fixtures'
import { server, url } from '@/test/server'
import { api } from '..'
import { deskApi } from '.'

const { submitMap, editMap, undoMapEdit, decideCase, undoDecision, answerAppeal } = deskApi.endpoints

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

const decisions = {
  'a decision': decideCase.initiate({
    id: 'c',
    decisionRequest: { kind: 'remove_record', publicReason: 'edited', text: 'It is edited.' },
  }),
  'an undo': undoDecision.initiate({ id: 'd', undoRequest: { publicReason: 'mistake', text: 'It is not edited.' } }),
  'an answer to an appeal': answerAppeal.initiate({
    id: 'a',
    appealAnswerRequest: { outcome: 'granted', text: 'It is not edited.' },
  }),
}

it.each(Object.entries(decisions))('what places are worth is asked for again after %s', async (_, decide) => {
  let asked = 0
  server.use(
    http.get(url('/maps/:id/points'), () => {
      asked++
      return HttpResponse.json({ success: true, data: mapPoints() })
    }),
    http.post(url('/desk/*'), () => HttpResponse.json({ success: true, data: {} })),
  )
  const store = makeStore()
  await store.dispatch(api.endpoints.getMapPoints.initiate({ id: 'a' }))
  await decide(store.dispatch, store.getState, undefined)
  await Promise.all(store.dispatch(api.util.getRunningQueriesThunk()))
  expect(asked).toBe(2)
})

it.each(['edited', 'edited back'] as const)(
  'medals of a list are asked for again after a map was %s',
  async (change) => {
    let asked = 0
    const changed = () => HttpResponse.json({ success: true, data: aMap() })
    server.use(
      http.get(url('/records'), () => {
        asked++
        return HttpResponse.json(page([aRecord()]))
      }),
      http.patch(url('/maps/:id'), changed),
      http.post(url('/maps/:id/edits/:edit/undo'), changed),
    )
    const store = makeStore()
    await store.dispatch(api.endpoints.listRecords.initiate({ player: aRecord().player._id }))
    await changes[change](store.dispatch, store.getState, undefined)
    await Promise.all(store.dispatch(api.util.getRunningQueriesThunk()))
    expect(asked).toBe(2)
  },
)
