import { type ComponentType, lazy } from 'react'
import { nextPaint } from './usePainted'

// As long as a slow phone takes to show the pictures of a page that it has painted.
const PICTURES_MS = 200

type Loaded<Props> = Promise<{ default: ComponentType<Props> }>

/**
 * Returns a part of a page whose code is requested when the page around it is on the screen, so that it does not delay the
 * page. Where its code cannot be loaded the page shows the other component, or nothing.
 */
export function lazyPart<Props>(load: () => Loaded<Props>, other: ComponentType<Props> = () => null) {
  return lazy(async () => {
    await nextPaint()
    await new Promise((resolve) => setTimeout(resolve, PICTURES_MS))
    return load().catch(() => ({ default: other }))
  })
}
