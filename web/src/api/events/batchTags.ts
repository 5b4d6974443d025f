import type { Tag } from '..'

// The first refetch waits until the server's caches have the change, and not all browsers refetch at once.
const FIRST_MS = 300
const SPREAD_MS = 300
const BETWEEN_MS = 1000

/**
 * Batches the tags of a burst of events: they are invalidated together, once a second at most, and while the page is hidden
 * when it is shown again.
 */
export function batchTags(invalidate: (tags: Tag[]) => void): { add: (tags: readonly Tag[]) => void; end: () => void } {
  const waiting = new Map<string, Tag>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let last = Number.NEGATIVE_INFINITY

  const flush = () => {
    timer = undefined
    if (document.visibilityState === 'hidden' || waiting.size === 0) return
    last = Date.now()
    const tags = [...waiting.values()]
    waiting.clear()
    invalidate(tags)
  }
  const schedule = () => {
    const pause = Math.max(FIRST_MS + Math.random() * SPREAD_MS, last + BETWEEN_MS - Date.now())
    timer ??= setTimeout(flush, pause)
  }
  document.addEventListener('visibilitychange', schedule)
  return {
    add(tags) {
      for (const tag of tags) waiting.set(JSON.stringify(tag), tag)
      schedule()
    },
    end() {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', schedule)
    },
  }
}
