import { expect, it } from 'vitest'
import { toaster } from './toaster'

it('appears bottom-end, and pauses when the page is idle', () => {
  expect(toaster.attrs).toMatchObject({ placement: 'bottom-end', pauseOnPageIdle: true })
})
