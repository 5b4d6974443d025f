import { act, render, screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { Providers } from '@/app/Providers'
import { makeStore } from '@/store/store'
import { toaster } from './toaster'

it('appears bottom-end, and pauses when the page is idle', async () => {
  render(<Providers store={makeStore()}>The site</Providers>)
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
