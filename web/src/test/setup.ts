import '@testing-library/jest-dom/vitest'
import { cleanup, configure, getConfig, prettyDOM } from '@testing-library/react'
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest'
import { activateLocale } from '@/locales'
import { firstPageShown } from '@/ui/lazyPart'
import { toaster } from '@/ui/toaster'
import { endStores } from './render'
import { server } from './server'
import './computedStyle'
import './ownerStacks'

activateLocale('en')

const { asyncWrapper } = getConfig()
configure({
  asyncUtilTimeout: 10_000,
  asyncWrapper: async (wait) => {
    await codeLoaded()
    return asyncWrapper(wait)
  },
  // The page is written into the message of an error when the message is read: most errors end with the next attempt.
  getElementError: (message, container) =>
    Object.defineProperties(new Error(), {
      name: { value: 'TestingLibraryElementError' },
      message: { configurable: true, get: () => `${message}\n\n${prettyDOM(container)}` },
    }),
})

// codeLoaded waits for code that the site fetches on demand, such as that of a page, and for what this code fetches when it
// is shown. That time is not part of the time that a test waits for something.
async function codeLoaded() {
  for (let pass = 0; pass < 4; pass++) {
    const began = performance.now()
    await vi.dynamicImportSettled()
    if (pass === 0 && performance.now() - began < 20) return
  }
}

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
    // The window is wide.
    matches: query.includes('width >='),
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
