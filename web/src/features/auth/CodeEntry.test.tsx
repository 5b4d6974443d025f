import { act, cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { renderRoute } from '@/test/render'
import { problem, server, url } from '@/test/server'

beforeEach(() => {
  server.use(
    http.get(url('/auth/request-room-link'), () =>
      HttpResponse.json({
        success: true,
        sessionId: 'session',
        roomLink: 'https://game.example/room',
        expiresIn: 180,
      }),
    ),
    http.get(url('/auth/status'), () =>
      HttpResponse.json({ success: true, status: { status: 'code_provided', message: '' }, expiresIn: 170 }),
    ),
    http.post(url('/auth/verify-code'), () =>
      problem(422, { code: 'code_wrong', message: 'This code is wrong.', data: { triesLeft: 4 } }),
    ),
  )
  // Time goes on by itself, so that requests come back; pass() makes it jump.
  vi.useFakeTimers({
    shouldAdvanceTime: true,
    toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'Date'],
  })
})

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

describe('the code entry', () => {
  it('says that a code is wrong, and empties itself', async () => {
    renderRoute('/login-with-bonk')
    await screen.findByRole('link', { name: 'Join Verification Room' })
    await pass(3000)
    await screen.findByRole('form', { name: 'Verification code' })
    const firstDigit = screen.getByLabelText('Digit 1 of 6')
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime })
    await user.click(firstDigit)
    await pass(50) // until the entry has noticed the focus
    await user.paste('111111')
    await pass(300)
    expect(await screen.findByText('This code is wrong. 4 tries left.')).toHaveAttribute('role', 'alert')
    expect(firstDigit).toHaveValue('')
    expect(firstDigit).toHaveFocus()
  })
})
