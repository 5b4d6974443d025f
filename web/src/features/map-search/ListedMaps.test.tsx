import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ListedMap } from '@/api/desk'
import { page } from '@/test/fixtures'
import { renderRoute } from '@/test/render'
import { problem, server, url } from '@/test/server'

const asked: string[] = []

function find(maps: ListedMap[], { total = maps.length, pages = 1, limit = 12 } = {}) {
  server.use(
    http.get(url('/maps/listed'), ({ request }) => {
      const { searchParams } = new URL(request.url)
      asked.push(searchParams.toString())
      return HttpResponse.json(page(maps, { pages, limit, total, page: Number(searchParams.get('page')) }))
    }),
  )
}

const aListedMap = (change: Partial<ListedMap> = {}): ListedMap => ({
  _id: '01900000-0000-7000-8000-0000000000d1',
  bonkDbId: 1234,
  name: 'Cloud Stairs',
  authors: ['Rain', 'nobody 7'],
  page: 'https://bonk.io/maps?id=1234',
  importedAt: '2026-05-11T18:02:33.120Z',
  updatedAt: '2026-05-11T18:02:33.120Z',
  mapId: null,
  ...change,
})

beforeEach(() => {
  asked.length = 0
})

describe('the maps without a replay', () => {
  it('are listed with their authors, page and the way to submit them', async () => {
    find([aListedMap()])
    renderRoute('/map-search/listed')
    const table = await screen.findByRole('table', { name: 'Maps without a replay', busy: false })
    expect(await within(table).findByText('Cloud Stairs')).toBeVisible()
    expect(within(table).getAllByText('Rain, nobody 7')).not.toHaveLength(0)
    // Phones have the link in the first column.
    const [link] = within(table).getAllByRole('link', { name: 'bonk.io' })
    expect(link).toHaveAttribute('href', 'https://bonk.io/maps?id=1234')
    expect(link).toHaveAttribute('rel', 'noopener noreferrer nofollow ugc')
    expect(within(table).getByRole('link', { name: 'Submit its replay: Cloud Stairs' })).toHaveAttribute(
      'href',
      '/map-submit',
    )
    expect(screen.getByText('1 map')).toHaveAttribute('role', 'status')
    expect(asked).toEqual(['page=1&limit=25'])
    expect(document.title).toBe('Maps without a replay · Capzone')
  })

  it.each([null, 'http://bonk.io/', 'javascript:alert(1)', '//bonk.io'])('have no link to %s', async (address) => {
    find([aListedMap({ page: address })])
    renderRoute('/map-search/listed')
    const table = await screen.findByRole('table', { busy: false })
    await within(table).findByText('Cloud Stairs')
    expect(within(table).getAllByRole('link')).toHaveLength(1)
  })

  it('are searched by name and paged', async () => {
    find([aListedMap()], { pages: 3, total: 60, limit: 25 })
    const { user, router } = renderRoute('/map-search/listed?page=2')
    await waitFor(() => expect(asked.at(-1)).toBe('page=2&limit=25'))
    await user.type(screen.getByRole('searchbox', { name: 'Map name' }), ' cloud {Enter}')
    await waitFor(() => expect(asked.at(-1)).toBe('name=cloud&page=1&limit=25'))
    expect(router.state.location.search).toBe('?name=cloud')
    await user.click(within(await screen.findByRole('navigation', { name: 'Pages of maps' })).getByText('3'))
    await waitFor(() => expect(asked.at(-1)).toBe('name=cloud&page=3&limit=25'))
  })

  it.each([
    { at: '', total: 0, text: 'Every map that is known here has a replay.' },
    { at: '?name=sky', total: 0, text: 'No maps found.' },
    { at: '?page=9', total: 60, text: 'This page is past the last map.' },
  ])('say what is missing at "$at"', async ({ at, total, text }) => {
    find([], { total })
    renderRoute(`/map-search/listed${at}`)
    expect(await screen.findByText(text)).toBeVisible()
  })

  it('can be loaded again after a failure', async () => {
    server.use(http.get(url('/maps/listed'), () => problem(500)))
    const { user } = renderRoute('/map-search/listed')
    const alert = await screen.findByRole('alert')
    find([aListedMap()])
    await user.click(within(alert).getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('Cloud Stairs')).toBeVisible()
  })

  it('are reached from the map search', async () => {
    find([aListedMap()])
    server.use(http.get(url('/maps/search'), () => HttpResponse.json(page([]))))
    const { user } = renderRoute('/map-search')
    await user.click(await screen.findByRole('link', { name: 'Maps without a replay' }))
    expect(await screen.findByRole('heading', { name: 'Maps without a replay' })).toBeVisible()
    expect(screen.getByRole('link', { name: 'Map Search' })).toHaveAttribute(
      'href',
      expect.stringMatching(/^\/map-search/),
    )
  })
})
