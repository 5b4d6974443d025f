import type { Messages } from '@lingui/core'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { activateLocale } from '@/locales'
import { refusedFields } from './errors'

const refusal = { status: 422, code: 'link_taken', reason: '', message: 'Taken.', errors: [], data: { most: 9 } }
const texts = { fallback: 'Failed to save', fieldOf: (code: string) => (code === 'link_taken' ? 'link' : undefined) }
const messages = {
  'server.link_taken': 'Vergeben.',
  'server.link_hidden': 'Verborgen.',
  'field.too_many': ['Höchstens ', ['most'], '.'],
}

beforeEach(() => {
  activateLocale('de', messages as Messages)
  onTestFinished(() => activateLocale('en'))
})

it.each([
  ['by its code', {}, { link: ['Vergeben.'] }],
  ['by its reason', { reason: 'link_hidden' }, { link: ['Verborgen.'] }],
  [
    'of a field',
    { errors: [{ field: 'about', code: 'too_many', message: 'At most 9.' }] },
    { about: ['Höchstens 9.'] },
  ],
  [
    'whose code a field repeats',
    { errors: [{ field: 'about', code: 'link_taken', message: 'Taken.' }] },
    { about: ['Vergeben.'] },
  ],
  [
    'of a field without a translation',
    { errors: [{ field: 'about', code: 'new', message: 'New.' }] },
    { about: ['Vergeben.'] },
  ],
])('has a refusal %s in the active locale', (_, part, expected) => {
  const fields = refusedFields({ ...refusal, ...part }, { link: '', about: '' }, texts)
  expect(Object.fromEntries(fields)).toEqual(expected)
})

it("has the server's own sentences in English", () => {
  activateLocale('en')
  const errors = [{ field: 'about', code: 'new', message: 'New.' }]
  expect(refusedFields({ ...refusal, errors }, { about: '' }, texts).get('about')).toEqual(['New.'])
})
