import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Tag } from '..'
import { joinTags } from './joined'

let invalidated: Tag[][] = []
let joined: ReturnType<typeof joinTags>
let visibility: DocumentVisibilityState = 'visible'

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(0)
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visibility)
  visibility = 'visible'
  invalidated = []
  joined = joinTags((tags) => invalidated.push(tags))
})
afterEach(() => joined.end())

describe('joined tags', () => {
  it('are invalidated together a moment later, each once', () => {
    joined.add(['Stats', { type: 'Leaderboard', id: 'a' }])
    joined.add([{ type: 'Leaderboard', id: 'a' }])
    joined.add([{ type: 'Leaderboard', id: 'b' }])
    expect(invalidated).toEqual([])
    vi.advanceTimersByTime(300)
    expect(invalidated).toEqual([['Stats', { type: 'Leaderboard', id: 'a' }, { type: 'Leaderboard', id: 'b' }]])
  })

  it('are invalidated once a second at most', () => {
    for (let i = 0; i < 50; i++) {
      joined.add(['Stats'])
      vi.advanceTimersByTime(100)
    }
    expect(invalidated).toHaveLength(5)
  })

  it('wait while the page is hidden', () => {
    visibility = 'hidden'
    joined.add(['Stats'])
    vi.advanceTimersByTime(10_000)
    expect(invalidated).toEqual([])
    visibility = 'visible'
    document.dispatchEvent(new Event('visibilitychange'))
    vi.advanceTimersByTime(300)
    expect(invalidated).toEqual([['Stats']])
  })
})
