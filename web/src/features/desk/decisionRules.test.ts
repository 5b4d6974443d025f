import * as v from 'valibot'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type DecisionValues, decisionSchema, NO_DECISION } from './decisionRules'

const ban: DecisionValues = {
  ...NO_DECISION,
  kind: 'ban',
  publicReason: 'edited',
  text: 'The inputs do not lead to its time.',
  until: 'date',
}

const parse = (values: DecisionValues) => v.safeParse(decisionSchema(values), values)

describe('a ban until a day', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-05-11T03:30:00Z') })
    return () => {
      vi.useRealTimers()
      vi.unstubAllEnvs()
    }
  })

  it.each([
    ['UTC', '2026-05-12', '2026-05-12T00:00:00.000Z'],
    // It is the evening of the day before.
    ['America/New_York', '2026-05-11', '2026-05-11T04:00:00.000Z'],
    ['Asia/Tokyo', '2026-05-12', '2026-05-11T15:00:00.000Z'],
  ])('in %s ends at the midnight with which it begins', (zone, untilDay, until) => {
    vi.stubEnv('TZ', zone)
    expect(parse({ ...ban, untilDay }).output).toMatchObject({ kind: 'ban', until })
  })

  it.each([
    ['UTC', '2026-05-11'],
    ['America/New_York', '2026-05-10'],
    ['Asia/Tokyo', '2026-05-11'],
    ['UTC', '2036-05-12'],
    ['UTC', ''],
  ])('in %s is refused for %j', (zone, untilDay) => {
    vi.stubEnv('TZ', zone)
    expect(parse({ ...ban, untilDay }).issues?.map(({ message }) => message)).toEqual([
      'Choose a day after today, at most ten years from now.',
    ])
  })
})
