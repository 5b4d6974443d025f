import { expect, it } from 'vitest'
import type { Refusal } from '@/api/error'
import { refusalText } from './refusalText'

const refusal = (part: Partial<Refusal>): Refusal => ({
  status: 422,
  code: '',
  reason: '',
  message: '',
  errors: [],
  data: {},
  ...part,
})

it.each([
  ['tries left', { message: 'This code is wrong.', data: { triesLeft: 4 } }, 'This code is wrong. 4 tries left.'],
  ['one try left', { message: 'This code is wrong.', data: { triesLeft: 1 } }, 'This code is wrong. 1 try left.'],
  ['another sentence', { message: 'This login is over.' }, 'This login is over.'],
  ['no sentence', {}, 'Verification failed. Please check your code.'],
])('words a refusal with %s', (_, data, text) => {
  expect(refusalText(refusal(data))).toBe(text)
})

it('words a server that is away', () => {
  expect(refusalText({ status: 'unreachable', message: '' })).toBe('Verification failed. Please check your code.')
})
