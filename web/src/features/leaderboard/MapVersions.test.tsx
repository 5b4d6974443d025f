import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { describe, expect, it, vi } from 'vitest'
import { aMap, page } from '@/test/fixtures'
import { renderRoute } from '@/test/render'
import { problem, server, url } from '@/test/server'

const versions = [3, 2, 1].map((version) => ({
  _id: `version-${version}`,
  version,
  name: 'Skyline Run',
  createdAt: '2026-05-11T18:02:33.120Z',
  recordCount: version,
  newest: version === 3,
}))

function serve(list = versions) {
  const asked = vi.fn()
  server.use(
    http.get(url('/maps/:id'), ({ params }) => {
      const version = Number(String(params.id).at(-1))
      const data = aMap({ _id: String(params.id), version, newest: version === list[0]?.version })
      return HttpResponse.json({ success: true, data })
    }),
    http.get(url('/maps/:id/versions'), () => {
      asked()
      return HttpResponse.json({ success: true, data: list })
    }),
    http.get(url('/records'), () => HttpResponse.json(page([]))),
  )
  return asked
}

describe('the versions of a map', () => {
  it('are in a menu, the newest first', async () => {
    serve()
    const { user, router } = renderRoute('/leaderboard/version-3')
    const menu = await screen.findByRole('combobox', { name: 'Version' })
    expect(
      within(menu)
        .getAllByRole('option')
        .map((option) => option.textContent),
    ).toEqual(['3 (newest)', '2', '1'])
    expect(menu).toHaveDisplayValue('3 (newest)')
    expect(screen.queryByText('This is an old version of the map.')).not.toBeInTheDocument()
    await user.selectOptions(menu, '2')
    await waitFor(() => expect(router.state.location.pathname).toBe('/leaderboard/version-2'))
  })

  it('lead from an old one to the newest', async () => {
    serve()
    renderRoute('/leaderboard/version-1')
    expect(await screen.findByText('This is an old version of the map.')).toBeVisible()
    expect(await screen.findByRole('link', { name: 'See the newest version' })).toHaveAttribute(
      'href',
      '/leaderboard/version-3',
    )
  })

  it('are not offered where there is only one', async () => {
    const asked = serve(versions.slice(2))
    renderRoute('/leaderboard/version-1')
    await screen.findByRole('heading', { name: 'Skyline Run' })
    expect(screen.queryByRole('combobox', { name: 'Version' })).not.toBeInTheDocument()
    expect(asked).not.toHaveBeenCalled()
  })
})

// What the clipboard is given, with a promise of the text.
class PromisedItem {
  constructor(readonly data: Record<string, Promise<Blob>>) {}
}

describe('the code of a map', () => {
  it('is loaded and copied', async () => {
    serve()
    server.use(
      http.get(url('/maps/:id/data'), () => HttpResponse.json({ success: true, data: { mapData: 'ILAcJAhBFBjBz' } })),
    )
    const { user } = renderRoute('/leaderboard/version-3')
    await user.click(await screen.findByText('For tools'))
    await user.click(await screen.findByRole('button', { name: 'Copy map code' }))
    expect(await screen.findByRole('button', { name: 'Copied' })).toBeVisible()
    expect(await navigator.clipboard.readText()).toBe('ILAcJAhBFBjBz')
  })

  it('is promised to the clipboard at the click, where the browser can take a promise', async () => {
    serve()
    let answer = () => {}
    const answered = new Promise<void>((resolve) => (answer = resolve))
    let copied: string | undefined
    server.use(
      http.get(url('/maps/:id/data'), async () => {
        await answered
        return HttpResponse.json({ success: true, data: { mapData: 'ILAcJAhBFBjBz' } })
      }),
    )
    vi.stubGlobal('ClipboardItem', PromisedItem)
    const { user } = renderRoute('/leaderboard/version-3')
    const button = await screen.findByRole('button', { name: 'Copy map code' })
    const written = vi.spyOn(navigator.clipboard, 'write').mockImplementation(async ([item]) => {
      const blob = await (item as unknown as PromisedItem).data['text/plain']
      copied = new TextDecoder().decode(await blob?.arrayBuffer())
    })
    await user.click(button)
    expect(written).toHaveBeenCalledOnce()
    expect(button).toHaveAccessibleName('Copy map code')
    answer()
    await waitFor(() => expect(button).toHaveAccessibleName('Copied'))
    expect(copied).toBe('ILAcJAhBFBjBz')
  })

  it('may fail to load', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    serve()
    server.use(http.get(url('/maps/:id/data'), () => problem(500)))
    const { user } = renderRoute('/leaderboard/version-3')
    await user.click(await screen.findByText('For tools'))
    await user.click(await screen.findByRole('button', { name: 'Copy map code' }))
    expect(await screen.findByText('This could not be copied. Please try again.')).toBeVisible()
  })
})
