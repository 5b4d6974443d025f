import { describe, expect, it } from 'vitest'
import { noteVisit, type Seen, visitsWith } from './visits'

const MINUTE_MS = 60_000
const at = (minutes: number): Seen => ({ points: 100 + minutes, rank: 9, at: minutes * MINUTE_MS })

describe('visitsWith', () => {
  it('knows nothing of a first visit', () => {
    expect(visitsWith(null, at(0))).toEqual({ before: null, last: at(0) })
  })

  it('keeps the visit before while this one goes on', () => {
    const second = visitsWith({ before: null, last: at(0) }, at(60))
    expect(second).toEqual({ before: at(0), last: at(60) })
    expect(visitsWith(second, at(90))).toEqual({ before: at(0), last: at(90) })
    expect(visitsWith(second, at(91))).toEqual({ before: at(60), last: at(91) })
  })
})

it('a browser keeps the visits of each player, and begins anew where what it stored cannot be read', () => {
  expect(noteVisit('a', at(0))).toBeNull()
  expect(noteVisit('b', at(60))).toBeNull()
  expect(noteVisit('a', at(60))).toEqual(at(0))
  localStorage.setItem('capzone-visits:a', '{')
  expect(noteVisit('a', at(120))).toBeNull()
})
