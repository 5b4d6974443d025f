import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Tag } from '..'
import { batchTags } from './batchTags'

let invalidated: Tag[][] = []
let batch: ReturnType<typeof batchTags>
let visibility: DocumentVisibilityState = 'visible'

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(0)
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visibility)
  visibility = 'visible'
  invalidated = []
  batch = batchTags((tags) => invalidated.push(tags))
})
afterEach(() => batch.end())

describe('tags that are invalidated in batches', () => {
  it('are invalidated together a moment later, each once', () => {
    batch.add(['Stats', { type: 'Leaderboard', id: 'a' }])
    batch.add([{ type: 'Leaderboard', id: 'a' }])
    batch.add([{ type: 'Leaderboard', id: 'b' }])
    expect(invalidated).toEqual([])
    vi.advanceTimersByTime(300)
    expect(invalidated).toEqual([['Stats', { type: 'Leaderboard', id: 'a' }, { type: 'Leaderboard', id: 'b' }]])
  })

  it('are invalidated once a second at most', () => {
    for (let i = 0; i < 50; i++) {
      batch.add(['Stats'])
      vi.advanceTimersByTime(100)
    }
    expect(invalidated).toHaveLength(5)
  })

  it('wait while the page is hidden', () => {
    visibility = 'hidden'
    batch.add(['Stats'])
    vi.advanceTimersByTime(10_000)
    expect(invalidated).toEqual([])
    visibility = 'visible'
    document.dispatchEvent(new Event('visibilitychange'))
    vi.advanceTimersByTime(300)
    expect(invalidated).toEqual([['Stats']])
  })
})
