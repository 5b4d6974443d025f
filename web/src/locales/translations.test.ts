import { expect, it } from 'vitest'
import { faultsOf } from '../../scripts/translations.mjs'

it.each([
  ['pl', 'One map', '', ['has no translation']],
  ['es', 'By {name}', 'Por', ['has lost {name}']],
  ['de', 'By <0>x</0>', 'Von x', ['has lost <0>', 'has lost </0>']],
  ['de', 'By you', 'Von {name}', ['has {name}, which the English has not']],
  [
    'pl',
    '{n, plural, one {# map} other {# maps}}',
    '{n, plural, one {# mapa} few {# mapy} other {# mapy}}',
    ['lacks the plural form many'],
  ],
  ['de', '{n, plural, one {# map} other {# maps}}', '{n, plural, one {# Map} other {# Maps}}', []],
])('finds the faults of a translation into %s of "%s"', (locale, english, translation, faults) => {
  expect(faultsOf(locale, english, translation)).toEqual(faults)
})
