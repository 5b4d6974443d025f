import { act, render, screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { Providers } from '@/app/Providers'
import { makeStore } from '@/store/store'
import { toaster } from './toaster'

it('appears bottom-end, and pauses when the page is idle', async () => {
  render(
    <Providers store={makeStore()}>
      <p>The site</p>
    </Providers>,
  )
  act(() => {
    toaster.success({ title: 'Saved' })
  })
  const toast = (await screen.findByText('Saved')).closest('[data-scope=toast][data-part=root]')
  expect(toast).toHaveAttribute('data-placement', 'bottom-end')
  expect(toast).not.toHaveAttribute('data-paused')
  const visibility = vi.spyOn(document, 'visibilityState', 'get')
  const become = (state: DocumentVisibilityState) => {
    visibility.mockReturnValue(state)
    act(() => {
      document.dispatchEvent(new Event('visibilitychange'))
    })
  }
  become('hidden')
  await waitFor(() => expect(toast).toHaveAttribute('data-paused'))
  become('visible')
  await waitFor(() => expect(toast).not.toHaveAttribute('data-paused'))
  act(() => toaster.remove())
  await waitFor(() => expect(toast).not.toBeInTheDocument())
})

it.each([
  ['a message', {}, 5900],
  ['a message with an action', { action: { label: 'Undo', onClick: () => {} } }, 9900],
])('keeps %s long enough to be read', async (_, change, ms) => {
  vi.useFakeTimers({
    shouldAdvanceTime: true,
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'Date', 'performance'],
  })
  const { container } = render(
    <Providers store={makeStore()}>
      <p>The site</p>
    </Providers>,
  )
  act(() => toaster.success({ title: 'Saved', ...change }))
  expect(container).toBeVisible()
  const text = await screen.findByText('Saved')
  await act(() => vi.advanceTimersByTimeAsync(ms - 1500))
  expect(text).toBeInTheDocument()
  act(() => toaster.remove())
})
