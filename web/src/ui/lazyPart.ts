import { type ComponentType, lazy } from 'react'
import { nextPaint } from './usePainted'

// As long as a slow phone takes to show the pictures of a page that it has painted.
const PICTURES_MS = 200

let firstPageIsShown = false

type Loaded<Props> = Promise<{ default: ComponentType<Props> }>

/**
 * Returns a part of a page whose code is requested when the first page of the visit is on the screen, so that it does not
 * delay that page. Where its code cannot be loaded the page shows the other component, or nothing.
 */
export function lazyPart<Props>(load: () => Loaded<Props>, other: ComponentType<Props> = () => null) {
  return lazy(async () => {
    if (!firstPageIsShown) await firstPageShown()
    return load().catch(() => ({ default: other }))
  })
}

/** Resolves when what is rendered now is on the screen, with its pictures. */
async function firstPageShown(): Promise<void> {
  await nextPaint()
  await new Promise((resolve) => setTimeout(resolve, PICTURES_MS))
  firstPageIsShown = true
}
