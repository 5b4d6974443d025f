import { screen, waitFor } from '@testing-library/react'
import * as v from 'valibot'
import { expect, it, vi } from 'vitest'
import { cloudstep } from '@/test/fixtures'
import { renderPart } from '@/test/render'
import { ChecksField, Form, type Outcome, useForm, useSubmit } from '.'

const schema = v.object({ days: v.pipe(v.array(v.picklist(['sat', 'sun'])), v.minLength(1, 'Choose a day.')) })
type Days = v.InferOutput<typeof schema>

const saved = vi.fn(async (): Promise<Outcome> => ({ message: 'Saved' }))

function DaysForm() {
  const form = useForm<Days, Days>({ schema: () => schema, defaultValues: { days: [] } })
  const submission = useSubmit(form, saved, { fallback: 'Failed to save', loginRequired: 'You must be logged in' })
  return (
    <Form form={form} submission={submission} label="Days" button="Save">
      <ChecksField
        control={form.control}
        name="days"
        label="When"
        help="More than one is possible."
        choices={{ sat: ['Saturday', 'the first'], sun: ['Sunday', 'the second'] }}
      />
    </Form>
  )
}

it('boxes are described by their help and their error, and invalid until one is chosen', async () => {
  const { user } = renderPart(<DaysForm />, { user: cloudstep })
  const group = screen.getByRole('group', { name: 'When' })
  expect(group).toHaveAccessibleDescription('More than one is possible.')
  for (const box of screen.getAllByRole('checkbox')) expect(box).toBeValid()
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(group).toHaveAccessibleDescription('Choose a day. More than one is possible.'))
  for (const box of screen.getAllByRole('checkbox')) expect(box).toBeInvalid()
  await user.click(screen.getByRole('checkbox', { name: /Sunday/ }))
  await waitFor(() => expect(group).toHaveAccessibleDescription('More than one is possible.'))
  for (const box of screen.getAllByRole('checkbox')) expect(box).toBeValid()
})
