import { render } from '@testing-library/react'
import { expect, it, onTestFinished } from 'vitest'
import { translatePage } from '@/test/translatePage'
import { untranslated } from '@/test/untranslated'
import { isolated } from './format'
import { TextWithNames } from './TextWithNames'

it.each<[text: string, names: (string | null | undefined)[], exempt: string[]]>([
  ['rain passed you on Skyline Run', ['rain', 'Skyline Run'], ['rain', 'Skyline Run']],
  ['rain passed you on rain', ['rain', 'rain'], ['rain', 'rain']],
  ['Skyline passed you on Skyline Run', ['Skyline', 'Skyline Run'], ['Skyline', 'Skyline Run']],
  ['a passed you on Map (2) [new]?', ['a', 'Map (2) [new]?'], ['a', 'Map (2) [new]?']],
  ['Takes it from Łukasz (00:46.50).', ['Łukasz', '00:46.50'], ['Łukasz', '00:46.50']],
  [`rain passed you on ${isolated('סקיי 7')}`, ['rain', 'סקיי 7'], ['rain', 'סקיי 7']],
  ['Somebody passed you on a map', [null, undefined, ''], []],
  ['The map will have no world record.', [], []],
])('keeps a browser from translating the names in %j', (text, names, exempt) => {
  const { container } = render(<TextWithNames text={text} names={names} />)
  expect(container).toHaveTextContent(text)
  expect(untranslated(container)).toEqual(exempt)
})

it('is not stale on a page that the browser translates', () => {
  const { container, rerender } = render(<TextWithNames text="rain passed you on Skyline" names={['rain']} />)
  onTestFinished(translatePage())
  expect(container.querySelectorAll('font font')).toHaveLength(1)
  rerender(<TextWithNames text="mossfoot broke your record on Skyline" names={['mossfoot']} />)
  expect(container).toHaveTextContent('mossfoot broke your record on Skyline')
  rerender(<TextWithNames text="cloudstep broke your record on Skyline" names={['cloudstep']} />)
  expect(container).toHaveTextContent('cloudstep broke your record on Skyline')
})
