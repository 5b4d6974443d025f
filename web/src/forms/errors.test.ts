import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { activateLocale } from '@/locales'
import { refusedFields } from './errors'

const refusal = { status: 422, code: 'link_taken', message: 'Taken.', errors: [], data: {} }
const texts = { fallback: 'Failed to save', fieldOf: (code: string) => (code === 'link_taken' ? 'link' : undefined) }

beforeEach(() => {
  activateLocale('en', { 'server.link_taken': 'Vergeben.' })
  onTestFinished(() => activateLocale('en'))
})

it.each([
  ['by its code', [], { link: ['Vergeben.'] }],
  ['whose sentence is that of a field', [{ field: 'about', message: 'Taken.' }], { about: ['Vergeben.'] }],
  ['with another sentence of a field', [{ field: 'about', message: 'Be kind.' }], { about: ['Be kind.'] }],
])('has a refusal %s in the active locale', (_, errors, expected) => {
  const fields = refusedFields({ ...refusal, errors }, { link: '', about: '' }, texts)
  expect(Object.fromEntries(fields)).toEqual(expected)
})
