import '@testing-library/jest-dom/vitest'
import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest'
import { activateLocale } from '@/locales'
import { type Page, pages } from '@/routes/pages'
import { loadDialog } from '@/ui'
import { firstPageShown } from '@/ui/lazyPart'
import { toaster } from '@/ui/toaster'
import { endStores } from './render'
import { server } from './server'

activateLocale('en')

// A busy machine may take its time.
configure({ asyncUtilTimeout: 30_000 })

// The code that the site fetches on demand is read before the tests. On a busy machine that takes longer than a test
// waits for something, and with a test's fake clock it could capture the timers of that clock.
const loadPages = (tree: Page[]): Promise<unknown> =>
  Promise.all(tree.map(({ load, children = [] }) => Promise.all([load?.(), loadPages(children)])))
await Promise.all([
  loadPages(pages),
  loadDialog(),
  import('@/ui/machines/menu'),
  import('@/ui/machines/popover'),
  import('@/ui/Toasts'),
  import('@/entities/follow/FollowButtons'),
  import('@/entities/player/DeletionNotice'),
  import('@/features/inbox/InboxButton'),
  import('@/features/inbox/InboxMenu'),
  import('@/features/desk/ReviewDialog'),
  import('@/features/desk/UndoDialog'),
  import('@/features/map-edit/EditMap'),
  import('@/features/map-edit/MapDialog'),
  import('@/features/moderation/BeingLookedAt'),
  import('@/features/decisions/Banned'),
  import('@/features/players/AvatarDialog'),
  import('@/features/players/RolesDialog'),
  import('@/features/moderation/ReportButton'),
  import('@/features/moderation/ReportDialog'),
  import('@/features/players/points/Points'),
  import('@/features/players/statistics/Statistics'),
  import('@/features/leaderboard/CopyMapCode'),
  import('@/features/leaderboard/MapPoints'),
  import('@/features/leaderboard/history/HistorySection'),
  import('@/features/leaderboard/history/WorldRecordHistory'),
  import('@/features/leaderboard/viewer/MapViewer'),
  import('@/features/leaderboard/MapVersions'),
])

// A test that causes a request without a handler fails.
const unhandled: string[] = []
beforeAll(() =>
  server.listen({
    onUnhandledRequest: ({ method, url }) => {
      unhandled.push(`${method} ${url}`)
      throw new Error('The request has no handler.')
    },
  }),
)
afterEach(() => {
  cleanup()
  endStores()
  vi.useRealTimers()
  toaster.remove()
  document.body.replaceChildren()
  document.title = ''
  server.resetHandlers()
  localStorage.clear()
  sessionStorage.clear()
  expect(unhandled.splice(0)).toEqual([])
})
afterAll(() => server.close())

// jsdom draws frames with one interval, of the clock that is set when the first frame is asked for. An interval of a fake
// clock ends with that clock, and no frame would be drawn in the tests after it.
const { setTimeout, clearTimeout } = globalThis
window.requestAnimationFrame = (draw) => Number(setTimeout(() => draw(performance.now()), 16))
window.cancelAnimationFrame = (id) => clearTimeout(id)

// The parts of a page wait for it. With a test's fake clock they would wait permanently.
await firstPageShown()

// What jsdom lacks.
window.matchMedia ??= (query: string) =>
  ({
    matches: false,
    media: query,
    addEventListener() {},
    removeEventListener() {},
  }) as unknown as MediaQueryList
window.scrollTo = vi.fn() as unknown as typeof window.scrollTo
Element.prototype.scrollIntoView ??= vi.fn()
Element.prototype.scrollTo ??= vi.fn() as unknown as typeof Element.prototype.scrollTo
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
}
// Everything is on the screen.
globalThis.IntersectionObserver ??= class {
  constructor(private readonly callback: IntersectionObserverCallback) {}
  observe() {
    this.callback([{ isIntersecting: true } as IntersectionObserverEntry], this as unknown as IntersectionObserver)
  }
  unobserve() {}
  disconnect() {}
} as unknown as typeof IntersectionObserver
Blob.prototype.arrayBuffer ??= function (this: Blob) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(reader.result as ArrayBuffer)
    reader.onerror = () => reject(reader.error)
    reader.readAsArrayBuffer(this)
  })
}
