import { expect, it } from 'vitest'
import { refusalText } from './refusalText'

const refusal = (data: object) => ({ status: 422, data })

it.each([
  [
    'tries left',
    { message: 'This code is wrong.', data: { triesLeft: 4 } },
    'This code is wrong. 4 tries left.',
  ],
  [
    'one try left',
    { message: 'This code is wrong.', data: { triesLeft: 1 } },
    'This code is wrong. 1 try left.',
  ],
  ['another sentence', { message: 'This login is over.' }, 'This login is over.'],
  ['no sentence', {}, 'Verification failed. Please check your code.'],
])('words a refusal with %s', (_, data, text) => {
  expect(refusalText(refusal(data))).toBe(text)
})

it('words a server that is away', () => {
  expect(refusalText({ status: 'FETCH_ERROR' })).toBe('Verification failed. Please check your code.')
})
