import { screen } from '@testing-library/react'
import { useForm } from 'react-hook-form'
import { describe, expect, it } from 'vitest'
import { renderPart } from '@/test/render'
import { caretIn, maskTime, TimeField } from './TimeField'

describe('the mask', () => {
  it.each([
    ['', ''],
    ['0', '0_:__.__'],
    ['004', '00:4_.__'],
    ['004127', '00:41.27'],
    ['00:41.279', '00:41.27'],
    ['a1b2', '12:__.__'],
  ])('shows "%s" as "%s"', (typed, shown) => {
    expect(maskTime(typed)).toBe(shown)
  })

  it.each([
    ['', 0],
    ['01', 2],
    ['01:2', 4],
    ['01:23.4', 7],
    ['01:23.45', 8],
  ])('puts the caret after "%s" to place %i', (before, place) => {
    expect(caretIn(before)).toBe(place)
  })
})

function Entry({ readOnly = false }) {
  const { control } = useForm({ defaultValues: { gold: '' } })
  return <TimeField control={control} name="gold" label="Gold" readOnly={readOnly} />
}

describe('a time field', () => {
  it('fills the mask while somebody types, and empties it again', async () => {
    const { user } = renderPart(<Entry />)
    const input = screen.getByLabelText('Gold')
    expect(input).toHaveAttribute('placeholder', 'MM:SS.CC')
    await user.type(input, '00412')
    expect(input).toHaveValue('00:41.2_')
    await user.type(input, '7')
    expect(input).toHaveValue('00:41.27')
    await user.type(input, '{Backspace>8/}')
    expect(input).toHaveValue('')
  })

  it('takes a pasted time as a time', async () => {
    const { user } = renderPart(<Entry />)
    const input = screen.getByLabelText('Gold')
    await user.click(input)
    await user.paste('1:02.5')
    expect(input).toHaveValue('01:02.50')
  })

  it('can be read-only', async () => {
    const { user } = renderPart(<Entry readOnly />)
    await user.type(screen.getByLabelText('Gold'), '123')
    expect(screen.getByLabelText('Gold')).toHaveValue('')
  })
})
