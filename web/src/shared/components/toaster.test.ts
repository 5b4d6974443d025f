import { expect, it } from 'vitest'
import { toaster } from './toaster'

it('shows toasts at the bottom end, and pauses them when the page is idle', () => {
  expect(toaster.attrs).toMatchObject({ placement: 'bottom-end', pauseOnPageIdle: true })
})
