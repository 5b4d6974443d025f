import { act, screen, waitFor } from '@testing-library/react'
import { http } from 'msw'
import * as v from 'valibot'
import { describe, expect, it, vi } from 'vitest'
import type { QueryError } from '@/api/error'
import { loggedOut } from '@/session/session'
import { cloudstep } from '@/test/fixtures'
import { renderPart } from '@/test/render'
import { problem, server, url } from '@/test/server'
import { Form, type Outcome, TextareaField, TextField, useForm, useSubmit } from '.'

const schema = v.object({
  link: v.pipe(
    v.string(),
    v.trim(),
    v.nonEmpty('A link is required'),
    v.url('This is no link'),
    v.maxLength(40, 'Too long'),
  ),
  about: v.pipe(v.string(), v.maxLength(5, 'At most 5 letters')),
})
const NOTHING = { link: '', about: '' }
const draft = { key: 'profile', schema: v.object({ about: v.string() }) }

function ProfileForm({ send }: { send: (values: v.InferOutput<typeof schema>) => Promise<Outcome> }) {
  const form = useForm({ schema: () => schema, defaultValues: NOTHING, draft })
  const submission = useSubmit(form, send, {
    fallback: 'Failed to save',
    loginRequired: 'You must be logged in',
    fieldOf: (code) => (code.startsWith('link') ? 'link' : undefined),
  })
  return (
    <Form form={form} submission={submission} label="Profile" button="Save">
      <TextField control={form.control} name="link" label="Link" help="Where others find you" />
      <TextareaField control={form.control} name="about" label="About" />
    </Form>
  )
}

const refused = (change: object): QueryError => ({
  status: 422,
  code: '',
  message: '',
  errors: [],
  data: {},
  ...change,
})
const saved = vi.fn(async (): Promise<Outcome> => ({ message: 'Saved' }))
const refusing = (error: QueryError) => async (): Promise<Outcome> => ({ error })
const open = (send: Parameters<typeof ProfileForm>[0]['send']) =>
  renderPart(<ProfileForm send={send} />, { user: cloudstep })
const save = () => screen.getByRole('button', { name: 'Save' })
const summary = () => screen.getByText('Please fix the following errors').closest('[role=group]') as HTMLElement
const messages = () => [...summary().querySelectorAll('li')].map((item) => item.textContent)

describe('a form', () => {
  it('lists its errors, announces them, has them at their fields, and sends nothing', async () => {
    const { user } = open(saved)
    expect(screen.getByLabelText('Link')).toHaveAccessibleDescription('Where others find you')
    await user.type(screen.getByLabelText('About'), 'too long')
    await user.click(save())
    await waitFor(() => expect(summary()).toHaveFocus())
    expect(summary()).toHaveAccessibleDescription('A link is required This is no link At most 5 letters')
    // The focus has announced the errors once.
    const toast = (await screen.findByText('Validation Error')).closest('[data-scope=toast][data-part=root]')
    expect(toast).toHaveAttribute('aria-live', 'off')
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
    expect(messages()).toEqual(['A link is required', 'This is no link', 'At most 5 letters'])
    expect(screen.getByLabelText('Link')).toBeInvalid()
    expect(screen.getByLabelText('Link')).toHaveAccessibleDescription('A link is required Where others find you')
    expect(screen.getByLabelText('About')).toHaveAccessibleDescription('At most 5 letters')
    expect(saved).not.toHaveBeenCalled()

    await user.type(screen.getByLabelText('Link'), 'https://example.com')
    await waitFor(() => expect(messages()).toEqual(['At most 5 letters']))
    expect(screen.getByLabelText('Link')).toBeValid()
  })

  it('removes what an attempt was refused for with the next one', async () => {
    const { user } = open(saved)
    await user.click(save())
    expect(await screen.findByText('Validation Error')).toBeVisible()
    await user.type(screen.getByLabelText('Link'), 'https://example.com')
    await user.click(save())
    expect(await screen.findByText('Saved')).toBeVisible()
    await waitFor(() => expect(screen.queryByText('Validation Error')).not.toBeInTheDocument())
  })

  it('sends what its schema makes of the values, and stays where there is no next page', async () => {
    const { user } = open(saved)
    await user.type(screen.getByLabelText('Link'), ' https://example.com ')
    await user.click(save())
    expect(await screen.findByText('Saved')).toBeVisible()
    expect(saved).toHaveBeenCalledWith({ link: 'https://example.com', about: '' }, cloudstep)
    expect(save()).toBeEnabled()
  })

  it('says that a session has ended together with what is wrong', async () => {
    const { user, store } = open(saved)
    act(() => {
      store.dispatch(loggedOut())
    })
    await user.click(save())
    expect(await screen.findByText('Validation Error')).toBeVisible()
    expect(messages()).toContain('You must be logged in')
    expect(messages()).toContain('A link is required')
    await user.type(screen.getByLabelText('Link'), 'https://example.com')
    await user.click(save())
    await waitFor(() => expect(messages()).toEqual(['You must be logged in']))
  })

  it('does not take a server that cannot check the login for a session that has ended', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    server.use(http.get(url('/auth/refresh-token'), () => problem(503), { once: true }))
    const send = vi.fn(async (): Promise<Outcome> => ({ message: 'Saved' }))
    const { user, store } = open(send)
    act(() => {
      store.dispatch(loggedOut())
    })
    await user.type(screen.getByLabelText('Link'), 'https://example.com')
    await user.click(save())
    await waitFor(() => expect(messages()).toEqual(['Your login cannot be checked right now. Please try again.']))
    expect(screen.getByLabelText('Link')).toHaveValue('https://example.com')
    expect(send).not.toHaveBeenCalled()
    await user.click(save()) // and is told that the session has ended
    await waitFor(() => expect(messages()).toEqual(['You must be logged in']))
  })

  it.each([
    ['by field', refused({ errors: [{ field: 'about', message: 'Be kind.' }] }), 'About', ['Be kind.']],
    ['by its code', refused({ code: 'link_taken', message: 'Taken.' }), 'Link', ['Taken.']],
    [
      'with two errors of a field',
      refused({
        errors: [
          { field: 'link', message: 'Taken.' },
          { field: 'link', message: 'Unsafe.' },
        ],
      }),
      'Link',
      ['Taken.', 'Unsafe.'],
    ],
    ['of a field that it does not have', refused({ errors: [{ field: 'rank', message: 'No.' }] }), null, ['No.']],
    ['without a sentence', refused({}), null, ['Failed to save']],
    ['without an answer', { status: 'unreachable', message: '' } as const, null, ['Failed to save']],
  ])('shows a refusal %s', async (_, error, label, expected) => {
    const { user } = open(refusing(error))
    await user.type(screen.getByLabelText('Link'), 'https://example.com')
    await user.click(save())
    await waitFor(() => expect(summary()).toHaveFocus())
    expect(messages()).toEqual(expected)
    for (const name of ['Link', 'About']) {
      if (name === label) expect(screen.getByLabelText(name)).toBeInvalid()
      else expect(screen.getByLabelText(name)).toBeValid()
    }
    expect(screen.getByLabelText('Link')).toHaveValue('https://example.com')
  })

  it('keeps the chosen part of what was typed over a reload, until it is sent', async () => {
    const first = open(saved)
    await first.user.type(screen.getByLabelText('Link'), 'https://example.com')
    await first.user.type(screen.getByLabelText('About'), 'Hi')
    first.unmount()

    const second = open(saved)
    expect(screen.getByLabelText('Link')).toHaveValue('')
    expect(screen.getByLabelText('About')).toHaveValue('Hi')
    await second.user.type(screen.getByLabelText('Link'), 'https://example.com')
    await second.user.click(save())
    expect(await screen.findByText('Saved')).toBeVisible()
    second.unmount()

    open(saved)
    expect(screen.getByLabelText('About')).toHaveValue('')
  })
})
