import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ParkourMap } from '@/api'
import type { MapEdit } from '@/api/desk'
import type { User } from '@/session/session'
import { aMap, cloudstep, mossfoot, page } from '@/test/fixtures'
import { paste, reload, renderRoute } from '@/test/render'
import { problem, server, url } from '@/test/server'

const moderator: User = { ...mossfoot, roles: ['moderator'] }
const map = aMap({ medalTimes: { author: 41_267, gold: 43_733, silver: 49_533, bronze: null } })

const anEdit = (change: Partial<MapEdit> = {}): MapEdit => ({
  _id: 'e1',
  at: '2026-05-12T09:00:00.000Z',
  editor: { _id: cloudstep._id, name: 'cloudstep', skinImageUrl: null, skinColor: null },
  fields: ['description', 'medalTimes', 'picture'],
  before: { description: 'Old.', tags: [], medalTimes: map.medalTimes },
  after: { description: 'Over the roofs.', tags: [], medalTimes: { ...map.medalTimes, gold: 44_000 } },
  undoes: null,
  reason: null,
  ...change,
})

const CHANGED_AT = '2026-05-12T09:00:00.000Z'
const MAP_CHANGED = 'The map was changed meanwhile.'

let stored: ParkourMap
let sent: { image: boolean; metadata: unknown }[]
let edits: MapEdit[]
let undone: unknown[]

beforeEach(() => {
  stored = map
  sent = []
  undone = []
  edits = [anEdit()]
  server.use(
    http.get(url('/records'), () => HttpResponse.json(page([]))),
    http.get(url('/maps/:id/versions'), () => HttpResponse.json({ success: true, data: [] })),
    http.get(url('/maps/:id'), () => HttpResponse.json({ success: true, data: stored })),
    http.get(url('/maps/:id/edits'), () => HttpResponse.json({ success: true, data: edits })),
    http.patch(url('/maps/:id'), async ({ request }) => {
      const form = await request.formData()
      const metadata = JSON.parse(String(form.get('metadata')))
      if (metadata.updatedAt !== stored.updatedAt) return problem(409, { code: 'map_changed', message: MAP_CHANGED })
      sent.push({ image: form.get('mapImage') !== null, metadata })
      return HttpResponse.json({ success: true, data: stored })
    }),
    http.post(url('/maps/:id/edits/:edit/undo'), async ({ request }) => {
      undone.push(await request.json())
      edits = [anEdit({ _id: 'e2', undoes: 'e1', reason: 'It was better.' }), ...edits]
      stored = { ...stored, description: 'Old.', updatedAt: CHANGED_AT }
      return HttpResponse.json({ success: true, data: stored })
    }),
  )
})

async function open(user: User = cloudstep) {
  const view = renderRoute('/leaderboard/a', { user })
  await view.user.click(await screen.findByRole('button', { name: 'Edit map' }))
  return { ...view, dialog: within(await screen.findByRole('dialog', { name: 'Edit Skyline Run' })) }
}

describe('the form that edits a map', () => {
  it.each([
    ['visitors', undefined],
    ['other players', mossfoot],
  ])('is not for %s', async (_, user) => {
    renderRoute('/leaderboard/a', user && { user })
    await screen.findByRole('heading', { level: 1, name: 'Skyline Run' })
    expect(screen.queryByRole('button', { name: 'Edit map' })).not.toBeInTheDocument()
  })

  it('sends what has changed, with the state that it is based on', async () => {
    const { user, dialog } = await open()
    await user.clear(dialog.getByLabelText('Description'))
    await paste(user, dialog.getByLabelText('Description'), 'Mind the gap.')
    await user.type(dialog.getByLabelText('Tags'), 'night')
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Map changed')).toBeVisible()
    const metadata = { description: 'Mind the gap.', tags: ['speedrun', 'short', 'night'], updatedAt: map.updatedAt }
    expect(sent).toEqual([{ image: false, metadata }])
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  })

  it('has medal times for the author, of whom it keeps those that stay as exact as they are', async () => {
    const { user, dialog } = await open()
    const gold = dialog.getByLabelText('Gold medal')
    await user.clear(gold)
    await user.type(gold, '0044')
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    expect((await dialog.findAllByText(/A medal time has minutes/)).length).toBeGreaterThan(0)
    await user.type(gold, '00')
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(sent[0]?.metadata).toMatchObject({
      medalTimes: { author: 41_267, gold: 44_000, silver: 49_533, bronze: null },
    })
  })

  it('has none for moderators', async () => {
    const { dialog } = await open(moderator)
    expect(dialog.queryByLabelText('Gold medal')).not.toBeInTheDocument()
    expect(dialog.getByLabelText('Description')).toHaveValue('Over the roofs.')
  })

  it.each([
    [409, 'map_changed', MAP_CHANGED],
    [409, 'medals_held', 'Somebody holds the gold medal.'],
  ])("shows the server's refusal %s %s", async (status, code, message) => {
    server.use(http.patch(url('/maps/:id'), () => problem(status, { code, message })))
    const { user, dialog } = await open()
    await user.type(dialog.getByLabelText('Description'), ' And on.')
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    expect((await dialog.findAllByText(message)).length).toBeGreaterThan(0)
  })
})

describe('the form of a map that is changed while it is open', () => {
  const loadButton = { name: 'Load the map as it is now' }

  it('does not send again what was undone in the dialog', async () => {
    const { user, dialog } = await open(moderator)
    await user.click(await dialog.findByRole('button', { name: 'Undo' }))
    await paste(user, dialog.getByLabelText('Why'), 'It was better.')
    await user.click(dialog.getByRole('button', { name: 'Undo the edit' }))
    await user.click(await dialog.findByRole('button', loadButton))
    expect(dialog.getByLabelText('Description')).toHaveValue('Old.')
    await user.type(dialog.getByLabelText('Tags'), 'night')
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Map changed')).toBeVisible()
    const metadata = { tags: ['speedrun', 'short', 'night'], updatedAt: CHANGED_AT }
    expect(sent).toEqual([{ image: false, metadata }])
  })

  it('is refused until the map is loaded, which keeps what was entered in fields that have not changed', async () => {
    const { user, dialog, store } = await open()
    await user.type(dialog.getByLabelText('Description'), ' Mine.')
    await user.type(dialog.getByLabelText('Gold medal'), '{backspace}0')
    await user.type(dialog.getByLabelText('Tags'), 'night')
    expect(dialog.queryByRole('button', loadButton)).not.toBeInTheDocument()
    stored = { ...map, description: 'Theirs.', tags: ['long'], updatedAt: CHANGED_AT }
    await reload(store, ['Map'])
    expect(await dialog.findByText('The map was changed after you opened it.')).toBeVisible()
    expect(dialog.getByLabelText('Description')).toHaveValue('Over the roofs. Mine.')
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    expect((await dialog.findAllByText(MAP_CHANGED)).length).toBeGreaterThan(0)

    await user.click(dialog.getByRole('button', loadButton))
    expect(await dialog.findByText('The form shows the map as it is now.')).toBeVisible()
    await waitFor(() => expect(dialog.getByRole('button', { name: 'Save' })).toHaveFocus())
    expect(dialog.queryByText(MAP_CHANGED)).not.toBeInTheDocument()
    expect(dialog.getByLabelText('Description')).toHaveValue('Theirs.')
    expect(dialog.getByLabelText('Gold medal')).toHaveValue('00:43.70')
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(sent[0]?.metadata).toEqual({
      tags: ['long', 'night'],
      medalTimes: { ...map.medalTimes, gold: 43_700 },
      updatedAt: CHANGED_AT,
    })
  })

  it('is refused by every click on Save that follows a refusal', async () => {
    const { user, dialog } = await open()
    stored = { ...map, tags: ['long'], updatedAt: CHANGED_AT }
    await user.type(dialog.getByLabelText('Description'), ' Mine.')
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    await dialog.findByRole('button', loadButton)
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(dialog.getByRole('button', { name: 'Save' })).toBeEnabled())
    expect(sent).toEqual([])
    expect(dialog.getAllByText(MAP_CHANGED).length).toBeGreaterThan(0)

    await user.click(dialog.getByRole('button', loadButton))
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(sent[0]?.metadata).toEqual({ description: 'Over the roofs. Mine.', updatedAt: CHANGED_AT })
  })
})

describe('the edits of a map', () => {
  it('have the fields before and after', async () => {
    const { dialog } = await open()
    const [edit] = within(await dialog.findByRole('list', { name: 'Edits' })).getAllByRole('listitem')
    expect(edit).toHaveTextContent(/cloudstep, 12 May 2026.*Description Old\. Over the roofs\..*Picture/)
    expect(edit).toHaveTextContent('00:41.27 · 00:43.73 · 00:49.53 · –')
    expect(within(edit as HTMLElement).queryByRole('button', { name: 'Undo' })).not.toBeInTheDocument()
  })

  it('are undone by moderators with a reason', async () => {
    const { user, dialog } = await open(moderator)
    await user.click(await dialog.findByRole('button', { name: 'Undo' }))
    await user.click(dialog.getByRole('button', { name: 'Undo the edit' }))
    expect((await dialog.findAllByText('Say why the edit is undone.')).length).toBeGreaterThan(0)
    await paste(user, dialog.getByLabelText('Why'), 'It was better.')
    await user.click(dialog.getByRole('button', { name: 'Undo the edit' }))
    expect(await screen.findByText('Edit undone')).toBeVisible()
    expect(undone).toEqual([{ reason: 'It was better.' }])
    expect(await dialog.findByText('Undone')).toBeVisible()
  })

  it('keep the focus of a keyboard while one is undone', async () => {
    const { user, dialog } = await open(moderator)
    await user.click(await dialog.findByRole('button', { name: 'Undo' }))
    const form = within(dialog.getByRole('form', { name: 'Undo' }))
    expect(form.getByLabelText('Why')).toHaveFocus()
    await user.click(form.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(dialog.getByRole('button', { name: 'Undo' })).toHaveFocus())
    await user.keyboard('{Enter}')
    await paste(user, dialog.getByLabelText('Why'), 'It was better.')
    await user.click(dialog.getByRole('button', { name: 'Undo the edit' }))
    const undone = (await dialog.findByText('Undone')).closest('li')
    await waitFor(() => expect(undone).toHaveFocus())
  })

  it("have the server's refusal of a reason at its field", async () => {
    server.use(
      http.post(url('/maps/:id/edits/:edit/undo'), () => problem(422, { code: 'reason_invalid', message: 'Shorter.' })),
    )
    const { user, dialog } = await open(moderator)
    await user.click(await dialog.findByRole('button', { name: 'Undo' }))
    await paste(user, dialog.getByLabelText('Why'), 'It was better.')
    await user.click(dialog.getByRole('button', { name: 'Undo the edit' }))
    await waitFor(() => expect(dialog.getByLabelText('Why')).toBeInvalid())
  })
})

it('an unranked map says so', async () => {
  const unranked: ParkourMap = { ...map, unranked: true, unrankedReason: 'broken' }
  server.use(http.get(url('/maps/:id'), () => HttpResponse.json({ success: true, data: unranked })))
  renderRoute('/leaderboard/a')
  expect(await screen.findByText('Unranked')).toBeVisible()
  expect(screen.getByText('It cannot be finished.')).toBeVisible()
  expect(screen.getByText('Moderators have decided that its records give no points.')).toBeVisible()
})
