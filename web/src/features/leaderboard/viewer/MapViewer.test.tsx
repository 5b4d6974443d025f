import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { aMap, page } from '@/test/fixtures'
import { renderRoute } from '@/test/render'
import { problem, server, url } from '@/test/server'

const map = aMap()
const DRAWING = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 600" role="img"><title>Skyline Run</title>
  <circle class="spawn" cx="10" cy="10" r="5"/><text class="spawn" x="10" y="5">start</text>
  <path class="deadly" d="M0 0L1 1Z"/><path class="finish" d="M9 9L8 8Z"/></svg>`

beforeEach(() => {
  server.use(
    http.get(url('/maps/:id'), () => HttpResponse.json({ success: true, data: map })),
    http.get(url('/records'), () => HttpResponse.json(page([]))),
    http.get(`${location.origin}/media/maps/a.svg`, () => HttpResponse.text(DRAWING)),
  )
  // The viewer is 600 pixels wide and 300 high: 2 pixels of the map are one of the screen.
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(600)
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(300)
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 600, 300))
})

async function openViewer() {
  const { user } = renderRoute(`/leaderboard/${map._id}`)
  const button = await screen.findByRole('button', { name: 'Explore the map' })
  await user.click(button)
  const box = await screen.findByRole('application', { name: 'Map Skyline Run' })
  return { user, button, box }
}

const view = (box: HTMLElement) => box.querySelector('svg')?.getAttribute('viewBox')

describe('the viewer of a map', () => {
  it('opens over the page with the focus on the drawing, and closes', async () => {
    const { user, button, box } = await openViewer()
    expect(screen.getByRole('dialog', { name: 'Skyline Run' })).toBeVisible()
    await waitFor(() => expect(box).toHaveFocus())
    expect(box).toHaveAccessibleDescription(/arrow keys to move/)
    expect(view(box)).toBe('0 0 1200 600')
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(button).toHaveAttribute('aria-expanded', 'false')
  })

  it.each([
    ['{ArrowRight}', '120 0 1200 600'],
    ['{ArrowUp}', '0 -120 1200 600'],
    ['+', '200 100 800 400'],
    ['++-', '200 100 800 400'],
    ['-', '0 0 1200 600'],
    ['+{ArrowLeft}', '120 100 800 400'],
    ['++{ArrowDown}0', '0 0 1200 600'],
    ['{Control>}+{/Control}', '0 0 1200 600'],
  ])('is moved and zoomed by the keys %s', async (keys, expected) => {
    const { user, box } = await openViewer()
    await waitFor(() => expect(box).toHaveFocus())
    await user.keyboard(keys)
    expect(view(box)).toBe(expected)
  })

  it('is zoomed by buttons, and reports by how much', async () => {
    const { user, box } = await openViewer()
    await user.click(screen.getByRole('button', { name: 'Zoom in' }))
    expect(view(box)).toBe('200 100 800 400')
    expect(screen.getByText('150%')).toHaveAttribute('role', 'status')
    await user.click(screen.getByRole('button', { name: 'Zoom out' }))
    expect(view(box)).toBe('0 0 1200 600')
    await user.click(screen.getByRole('button', { name: 'Zoom in' }))
    await user.click(screen.getByRole('button', { name: 'Show the whole map' }))
    expect(view(box)).toBe('0 0 1200 600')
  })

  it('is moved by dragging, within the map', async () => {
    const { box } = await openViewer()
    const at = (clientX: number, clientY: number) => ({ pointerId: 1, clientX, clientY })
    fireEvent.pointerMove(box, at(10, 10))
    expect(view(box)).toBe('0 0 1200 600')
    fireEvent.pointerDown(box, at(100, 100))
    fireEvent.pointerMove(box, at(50, 130))
    expect(view(box)).toBe('100 -60 1200 600')
    fireEvent.pointerMove(box, at(-5000, 130))
    expect(view(box)).toBe('600 -60 1200 600')
    fireEvent.pointerUp(box, at(-5000, 130))
    fireEvent.pointerMove(box, at(100, 100))
    expect(view(box)).toBe('600 -60 1200 600')
  })

  it('is zoomed about the middle of two fingers', async () => {
    const { box } = await openViewer()
    fireEvent.pointerDown(box, { pointerId: 1, clientX: 100, clientY: 150 })
    fireEvent.pointerDown(box, { pointerId: 2, clientX: 200, clientY: 150 })
    fireEvent.pointerMove(box, { pointerId: 2, clientX: 300, clientY: 150 })
    // What was in the middle of the fingers, 300, still is: they are twice as far apart.
    expect(view(box)).toBe('100 150 600 300')
  })

  it('is zoomed by the wheel about the pointer, and the page does not scroll', async () => {
    const { box } = await openViewer()
    const scrolled = fireEvent.wheel(box, { deltaY: -300, clientX: 0, clientY: 0 })
    expect(scrolled).toBe(false)
    expect(view(box)).toBe('0 0 600 300')
  })

  it('hides the marks that the drawing has', async () => {
    const { user, box } = await openViewer()
    const marks = within(screen.getByRole('group', { name: 'Marks' }))
    expect(marks.getAllByRole('button').map((button) => button.textContent)).toEqual(['Spawns', 'Finish', 'Deadly'])
    const spawns = marks.getByRole('button', { name: 'Spawns', pressed: true })
    await user.click(spawns)
    await user.click(marks.getByRole('button', { name: 'Deadly' }))
    expect(spawns).toHaveAttribute('aria-pressed', 'false')
    expect(box).toHaveAttribute('data-hidden', 'spawn deadly')
    await user.click(spawns)
    expect(box).toHaveAttribute('data-hidden', 'deadly')
  })

  it.each([
    ['is not there', () => problem(404)],
    ['is no drawing', () => HttpResponse.text('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')],
  ])('reports a drawing that %s, and loads it again', async (_, answer) => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    server.use(http.get(`${location.origin}/media/maps/a.svg`, answer, { once: true }))
    const { user } = renderRoute(`/leaderboard/${map._id}`)
    await user.click(await screen.findByRole('button', { name: 'Explore the map' }))
    expect(await screen.findByRole('alert')).toHaveTextContent('The drawing could not be loaded')
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('application')).toBeVisible()
  })
})

describe('the picture of a map', () => {
  const images = () =>
    screen.queryAllByRole('img', { name: /^(The map|Drawing of) / }).flatMap((image) => image.getAttribute('src') ?? [])

  it.each([
    ['uploaded and drawn', aMap(), ['/media/maps/a.webp'], 1],
    ['drawn alone', aMap({ imageUrl: '/media/maps/a-drawn.webp' }), ['/media/maps/a-drawn.webp'], 1],
    ['not drawn yet', aMap({ pictureUrl: null, drawingUrl: null }), ['/media/maps/a.webp'], 0],
  ])('may be %s', async (_, data, sources, viewers) => {
    server.use(http.get(url('/maps/:id'), () => HttpResponse.json({ success: true, data })))
    renderRoute(`/leaderboard/${map._id}`)
    await screen.findByRole('heading', { name: 'Skyline Run' })
    expect(images()).toEqual(sources)
    expect(screen.queryAllByRole('button', { name: 'Explore the map' })).toHaveLength(viewers)
  })
})
