import '@testing-library/jest-dom/vitest'
import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest'
import { activateLocale } from '@/locales'
import { toaster } from '@/ui/toaster'
import { server } from './server'

activateLocale('en')

// A busy machine may take its time, also to load the code that a page fetches on demand.
configure({ asyncUtilTimeout: 30_000 })

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
  vi.useRealTimers()
  toaster.remove()
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
globalThis.IntersectionObserver ??= class {
  observe() {}
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
