import { screen, waitFor } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import * as v from 'valibot'
import { beforeEach, expect, it, vi } from 'vitest'
import { cloudstep, mossfoot, page } from '@/test/fixtures'
import { renderPart } from '@/test/render'
import { problem, server, url } from '@/test/server'
import { Form, lookupEntry, PlayerField, useForm, useSubmit } from '.'

const send = vi.fn(async () => ({ message: 'Sent' }))
let asked: (string | null)[]

function TestForm() {
  const form = useForm({
    schema: () => v.object({ player: v.custom<ReturnType<typeof lookupEntry>>(() => true) }),
    defaultValues: { player: lookupEntry(null) },
  })
  const submission = useSubmit(form, send, { fallback: 'Failed', loginRequired: 'Log in' })
  return (
    <Form form={form} submission={submission} label="Test" button="Send">
      <PlayerField control={form.control} name="player" label="Player" allText="All players" exceptId={cloudstep._id} />
    </Form>
  )
}

const serve = (...players: object[]) =>
  server.use(
    http.get(url('/players/search'), ({ request }) => {
      asked.push(new URL(request.url).searchParams.get('name'))
      return HttpResponse.json(page(players))
    }),
  )

beforeEach(() => {
  asked = []
})

const open = () => renderPart(<TestForm />, { user: cloudstep }).user

it('asks once for a text, and not for less than two letters', async () => {
  serve()
  const user = open()
  await user.type(screen.getByLabelText('Player'), 'm')
  await user.type(screen.getByLabelText('Player'), 'oss')
  expect(await screen.findByText('No player has this name.')).toBeVisible()
  expect(asked).toEqual(['moss'])
})

it('chooses the only thing by Enter, without that which is not offered', async () => {
  serve(cloudstep, mossfoot)
  const user = open()
  await user.type(screen.getByLabelText('Player'), 'oo')
  await screen.findByRole('button', { name: 'mossfoot' })
  expect(screen.queryByRole('button', { name: 'cloudstep' })).not.toBeInTheDocument()
  await user.keyboard('{Enter}')
  expect(screen.getByText('Chosen: mossfoot')).toBeVisible()
  await user.keyboard('{Enter}')
  expect(send).not.toHaveBeenCalled()
  await user.click(screen.getByRole('button', { name: 'Send' }))
  await waitFor(() => expect(send).toHaveBeenCalledOnce())
  expect(send).toHaveBeenCalledWith({ player: { typed: 'mossfoot', chosen: mossfoot } }, cloudstep)
})

it('chooses none of several by Enter, and one by its button, with the focus in the field', async () => {
  serve(mossfoot, { ...mossfoot, _id: 'p', name: 'mosshop' })
  const user = open()
  const field = screen.getByLabelText('Player')
  await user.type(field, 'moss')
  const button = await screen.findByRole('button', { name: 'mosshop' })
  await user.keyboard('{Enter}')
  expect(screen.queryByText(/^Chosen/)).not.toBeInTheDocument()
  await user.click(button)
  expect(screen.getByText('Chosen: mosshop')).toBeVisible()
  expect(field).toHaveFocus()
  await user.keyboard('s')
  expect(screen.queryByText(/^Chosen/)).not.toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'All players' }))
  expect(field).toHaveValue('')
  expect(send).not.toHaveBeenCalled()
})

it('says that the search has failed, and tries again', async () => {
  server.use(http.get(url('/players/search'), () => problem(503)))
  const user = open()
  await user.type(screen.getByLabelText('Player'), 'moss')
  expect(await screen.findByText('This could not be loaded.')).toBeVisible()
  serve(mossfoot)
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('button', { name: 'mossfoot' })).toBeVisible()
})
