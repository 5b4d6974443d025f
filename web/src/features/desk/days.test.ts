import { afterEach, describe, expect, it, vi } from 'vitest'
import { dayAfter, dayOf } from './days'

afterEach(() => {
  vi.unstubAllEnvs()
})

describe('a day', () => {
  it.each([
    ['UTC', '2026-05-11', '2026-05-11T00:00:00.000Z'],
    ['America/New_York', '2026-05-11', '2026-05-11T04:00:00.000Z'],
    ['Asia/Tokyo', '2026-05-11', '2026-05-10T15:00:00.000Z'],
  ])('in %s begins at its midnight', (zone, text, begins) => {
    vi.stubEnv('TZ', zone)
    expect(dayOf(text)?.toISOString()).toBe(begins)
  })

  it.each(['', 'today', '2026-13-01'])('is not %j', (text) => {
    expect(dayOf(text)).toBeNull()
  })
})

describe('the day after', () => {
  it.each([
    ['UTC', '2026-02-28', '2026-03-01T00:00:00.000Z'],
    // The clocks change on these days, which have 23 and 25 hours.
    ['Europe/Berlin', '2026-03-29', '2026-03-29T22:00:00.000Z'],
    ['Europe/Berlin', '2026-10-25', '2026-10-25T23:00:00.000Z'],
  ])('in %s of %s begins at its own midnight', (zone, text, begins) => {
    vi.stubEnv('TZ', zone)
    expect(dayAfter(dayOf(text) as Date).toISOString()).toBe(begins)
  })
})
