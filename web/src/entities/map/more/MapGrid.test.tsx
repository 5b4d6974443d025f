import { act } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { aMap } from '@/test/fixtures'
import { renderPart } from '@/test/render'
import { MapGrid } from './MapGrid'

it('asks for the visible pictures, and for the others after the first frame', () => {
  const frames: FrameRequestCallback[] = []
  vi.spyOn(window, 'requestAnimationFrame').mockImplementation((callback) => frames.push(callback))
  const nextFrame = () =>
    act(() => {
      for (const callback of frames.splice(0)) callback(0)
    })
  const maps = ['a', 'b', 'c'].map((_id) => aMap({ _id, thumbnailUrl: `/media/${_id}.webp` }))

  const { container } = renderPart(<MapGrid maps={maps} skeletons={3} eager={1} />)
  const pictures = () => Array.from(container.querySelectorAll('article img'), (image) => image.getAttribute('src'))
  expect(pictures()).toEqual(['/media/a.webp'])
  nextFrame()
  expect(pictures()).toEqual(['/media/a.webp'])
  nextFrame()
  expect(pictures()).toEqual(['/media/a.webp', '/media/b.webp', '/media/c.webp'])
})
