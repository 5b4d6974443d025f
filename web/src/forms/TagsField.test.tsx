import { screen, waitFor } from '@testing-library/react'
import { useForm } from 'react-hook-form'
import { expect, it } from 'vitest'
import { renderPart } from '@/test/render'
import { useKeptFocus } from '@/ui/keptFocus'
import { TagsField } from './TagsField'

function Field() {
  const { control } = useForm({ defaultValues: { tags: { tags: [] as string[], typed: '' } } })
  return (
    <div {...useKeptFocus()}>
      <TagsField control={control} name="tags" label="Tags" />
    </div>
  )
}

const shown = () =>
  screen.queryAllByRole('button', { name: /^Remove tag/ }).map((button) => button.getAttribute('aria-label')?.slice(11))

it('adds tags by Enter and by the button: trimmed, in lower case, without empty ones and duplicates', async () => {
  const { user } = renderPart(<Field />)
  await user.type(screen.getByLabelText('Tags'), '  City {Enter}')
  expect(shown()).toEqual(['city'])
  await user.type(screen.getByLabelText('Tags'), 'Tricky')
  await user.click(screen.getByRole('button', { name: 'Add' }))
  await user.type(screen.getByLabelText('Tags'), 'CITY{Enter}   {Enter}{Enter}')
  expect(shown()).toEqual(['city', 'tricky'])
  expect(screen.getByLabelText('Tags')).toHaveValue('')
})

it('removes a tag', async () => {
  const { user } = renderPart(<Field />)
  await user.type(screen.getByLabelText('Tags'), 'city{Enter}long{Enter}')
  await user.click(screen.getByRole('button', { name: 'Remove tag city' }))
  expect(shown()).toEqual(['long'])
  await waitFor(() => expect(screen.getByRole('button', { name: 'Remove tag long' })).toHaveFocus())
  await user.keyboard('{Enter}')
  expect(shown()).toEqual([])
  await waitFor(() => expect(screen.getByLabelText('Tags')).toHaveFocus())
})
