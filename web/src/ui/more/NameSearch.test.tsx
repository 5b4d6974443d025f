import { fireEvent, render, screen } from '@testing-library/react'
import { useLayoutEffect } from 'react'
import { expect, it } from 'vitest'
import { NameSearch } from './NameSearch'

const search = (name: string) => (
  <NameSearch name={name} onSearch={() => {}} label="Map name" placeholder="" maxLength={100} />
)
const box = () => screen.getByRole('searchbox', { name: 'Map name' })

it('keeps what was typed before the effects of its first rendering ran', () => {
  function EarlyTyping() {
    useLayoutEffect(() => {
      fireEvent.change(box(), { target: { value: 'second' } })
    }, [])
    return search('first')
  }
  render(<EarlyTyping />)
  expect(box()).toHaveValue('second')
})

it('shows the name of another search', () => {
  const { rerender } = render(search('first'))
  fireEvent.change(box(), { target: { value: 'typed' } })
  rerender(search('second'))
  expect(box()).toHaveValue('second')
})
