import type { Frame } from './parseDrawing'

/** A position or a distance. */
export interface Point {
  x: number
  y: number
}

/** The visible part of a drawing: its middle in the map's coordinates, and its magnification. */
export interface View extends Point {
  /** 1 where the whole drawing is visible. */
  zoom: number
}

const MAX_ZOOM = 32

/** Returns the view of the whole drawing. */
export const fitView = ({ x, y, width, height }: Frame): View => ({ x: x + width / 2, y: y + height / 2, zoom: 1 })

/** What a visitor does to a view, in pixels from the middle of the viewer. */
export interface ViewChange {
  move?: Point
  /** The magnification, about a point that stays where it is. */
  factor?: number
  about?: Point
}

/** Returns the changed view. A pixel is the length of one at zoom 1, in the map's coordinates. */
export function changeView(view: View, frame: Frame, pixel: number, change: ViewChange): View {
  const { move = { x: 0, y: 0 }, factor = 1, about = { x: 0, y: 0 } } = change
  const zoom = clamp(view.zoom * factor, 1, MAX_ZOOM)
  // How much shorter a pixel became: the middle moves by it, so that the point stays where it is.
  const shift = pixel / view.zoom - pixel / zoom
  return {
    x: clamp(view.x - (move.x * pixel) / view.zoom + about.x * shift, frame.x, frame.x + frame.width),
    y: clamp(view.y - (move.y * pixel) / view.zoom + about.y * shift, frame.y, frame.y + frame.height),
    zoom,
  }
}

/** Returns the viewBox that shows a view. */
export function viewBox({ x, y, zoom }: View, frame: Frame): string {
  const [width, height] = [frame.width / zoom, frame.height / zoom]
  return [x - width / 2, y - height / 2, width, height].join(' ')
}

const clamp = (value: number, min: number, max: number) => Math.min(Math.max(value, min), max)
