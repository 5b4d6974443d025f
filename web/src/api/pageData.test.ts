import { HttpResponse, http } from 'msw'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { RECENT_MAPS, RECENT_RECORDS } from '@/features/home/queries'
import { leaderboardPage } from '@/features/leaderboard/queries'
import { playerMaps, playerRecords } from '@/features/players/queries'
import { makeStore } from '@/store/store'
import { aMap, page } from '@/test/fixtures'
import { server, url } from '@/test/server'
import { api } from './index'
import { forgetPageData } from './pageData'

const { getMap, getRecord, getStats, listRecords, searchMaps } = api.endpoints
const map = aMap()

function writePageData(answers: Record<string, object> | string) {
  const script = document.createElement('script')
  script.type = 'application/json'
  script.id = 'page-data'
  script.textContent = typeof answers === 'string' ? answers : JSON.stringify(answers)
  document.head.append(script)
}

afterEach(() => {
  document.getElementById('page-data')?.remove()
  history.replaceState(null, '', '/')
})

// countRequests serves a map and returns how often it was requested.
function countRequests() {
  const requested = vi.fn()
  server.use(
    http.get(url('/maps/:id'), () => {
      requested()
      return HttpResponse.json({ success: true, data: map })
    }),
  )
  return requested
}

const load = (store = makeStore()) => store.dispatch(getMap.initiate({ id: map._id }, { forceRefetch: true }))

describe('data in the document', () => {
  it('answers a request once', async () => {
    const requested = countRequests()
    writePageData({ [`/maps/${map._id}`]: { success: true, data: { ...map, name: 'From the document' } } })
    const store = makeStore()
    expect((await load(store)).data?.data.name).toBe('From the document')
    expect(requested).not.toHaveBeenCalled()
    expect((await load(store)).data?.data.name).toBe('Skyline Run')
  })

  it.each([
    ['of another request', () => writePageData({ '/maps/other': { success: true, data: map } })],
    ['that cannot be read', () => writePageData('{"/maps')],
    [
      'of another page',
      () => {
        writePageData({ [`/maps/${map._id}`]: { success: true, data: map } })
        history.replaceState(null, '', '/?page=2')
      },
    ],
  ])('does not answer where it is data %s', async (_, write) => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const requested = countRequests()
    write()
    await load()
    expect(requested).toHaveBeenCalledOnce()
  })

  it('does not answer after a navigation, also on the same page again', async () => {
    const requested = countRequests()
    writePageData({ [`/maps/${map._id}`]: { success: true, data: { ...map, name: 'Of an hour ago' } } })
    history.pushState(null, '', '/privacy')
    forgetPageData()
    history.replaceState(null, '', '/')
    expect((await load()).data?.data.name).toBe('Skyline Run')
    expect(requested).toHaveBeenCalledOnce()
  })

  // The gateway writes the same keys.
  it.each([
    ['/stats', getStats.initiate()],
    ['/maps/search?limit=4&sortBy=createdAt&sortDir=desc', searchMaps.initiate(RECENT_MAPS)],
    ['/records?limit=5&sortBy=updatedAt&sortDir=desc', listRecords.initiate(RECENT_RECORDS)],
    ['/maps/a', getMap.initiate({ id: 'a' })],
    [
      '/records?limit=10&map=a&offset=0&sortBy=finishTime%2CfinishTimeStamp&sortDir=asc%2Casc',
      listRecords.initiate(leaderboardPage('a', 1)),
    ],
    ['/records?limit=10&offset=0&player=p&sortBy=updatedAt&sortDir=desc', listRecords.initiate(playerRecords('p', 1))],
    ['/maps/search?authorId=p&limit=12&sortBy=createdAt&sortDir=desc', searchMaps.initiate(playerMaps('p'))],
    ['/records/r', getRecord.initiate({ id: 'r' })],
  ])('has the key %s', async (key, query) => {
    writePageData({ [key]: page([]) })
    expect((await makeStore().dispatch(query as ReturnType<typeof getStats.initiate>)).data).toEqual(page([]))
  })
})
