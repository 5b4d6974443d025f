import { expect, it } from 'vitest'
import { messages } from './en.po'
import { serverSentences } from './server'

it('the catalogue has the sentences of the server as they are now', () => {
  const stale = serverSentences.filter(({ id, message }) => messages[id]?.toString() !== message?.toString())
  expect(stale.map(({ id }) => id)).toEqual([])
})
