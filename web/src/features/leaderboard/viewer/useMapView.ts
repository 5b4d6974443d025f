import { type KeyboardEvent, type PointerEvent, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { changeView, fitView, type Point, type ViewChange, viewBox } from './mapView'
import type { Drawing } from './parseDrawing'

export const ZOOM_STEP = 1.5
const MOVE_STEP = 60
const MOVES: Record<string, Point> = {
  ArrowLeft: { x: MOVE_STEP, y: 0 },
  ArrowRight: { x: -MOVE_STEP, y: 0 },
  ArrowUp: { x: 0, y: MOVE_STEP },
  ArrowDown: { x: 0, y: -MOVE_STEP },
}
const FACTORS: Record<string, number> = { '+': ZOOM_STEP, '=': ZOOM_STEP, '-': 1 / ZOOM_STEP, _: 1 / ZOOM_STEP }

/** Shows a drawing in an element, moved and magnified by pointers, wheel and keys. */
export function useMapView({ svg, frame }: Drawing) {
  const box = useRef<HTMLDivElement>(null)
  const [view, setView] = useState(() => fitView(frame))
  const pointers = useRef(new Map<number, Point>())

  const change = (by: ViewChange) => {
    const { clientWidth, clientHeight } = box.current ?? svg
    const pixel = Math.max(frame.width / (clientWidth || 1), frame.height / (clientHeight || 1))
    setView((before) => changeView(before, frame, pixel, by))
  }
  const showAll = () => setView(fitView(frame))

  useLayoutEffect(() => box.current?.replaceChildren(svg), [svg])
  useLayoutEffect(() => svg.setAttribute('viewBox', viewBox(view, frame)), [svg, view, frame])

  const changeNow = useEffectEvent(change)
  // In a layout effect, so that no turn of the wheel over the visible drawing scrolls the page. React's own listener is
  // passive and could not prevent it.
  useLayoutEffect(() => {
    const onWheel = (event: WheelEvent) => {
      event.preventDefault()
      const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * 20 : event.deltaY
      changeNow({ factor: 2 ** (-pixels / 300), about: positionOf(event, box.current) })
    }
    const element = box.current
    element?.addEventListener('wheel', onWheel, { passive: false })
    return () => element?.removeEventListener('wheel', onWheel)
  }, [])

  const handlers = {
    onPointerDown(event: PointerEvent) {
      event.currentTarget.setPointerCapture?.(event.pointerId)
      pointers.current.set(event.pointerId, positionOf(event, box.current))
    },
    onPointerMove(event: PointerEvent) {
      if (!pointers.current.has(event.pointerId)) return
      const before = [...pointers.current.values()]
      pointers.current.set(event.pointerId, positionOf(event, box.current))
      const after = [...pointers.current.values()]
      const [from, to] = [middleOf(before), middleOf(after)]
      // How far two fingers moved apart; 1 for one finger, which has no distance.
      const factor = distanceOf(after) / distanceOf(before) || 1
      change({ move: { x: to.x - from.x, y: to.y - from.y }, factor, about: to })
    },
    onPointerUp: (event: PointerEvent) => pointers.current.delete(event.pointerId),
    onPointerCancel: (event: PointerEvent) => pointers.current.delete(event.pointerId),
    onKeyDown(event: KeyboardEvent) {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      const [move, factor] = [MOVES[event.key], FACTORS[event.key]]
      if (move) change({ move })
      else if (factor) change({ factor })
      else if (event.key === '0') showAll()
      else return
      event.preventDefault()
    },
  }
  return { box, zoom: view.zoom, zoomBy: (factor: number) => change({ factor }), showAll, handlers }
}

function positionOf({ clientX, clientY }: { clientX: number; clientY: number }, box: HTMLElement | null): Point {
  const { left = 0, top = 0, width = 0, height = 0 } = box?.getBoundingClientRect() ?? {}
  return { x: clientX - left - width / 2, y: clientY - top - height / 2 }
}

function middleOf(points: Point[]): Point {
  const sum = points.reduce((a, b) => ({ x: a.x + b.x, y: a.y + b.y }), { x: 0, y: 0 })
  return { x: sum.x / points.length, y: sum.y / points.length }
}

const distanceOf = ([a, b]: Point[]) => (a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0)
