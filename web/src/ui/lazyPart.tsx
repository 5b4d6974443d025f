import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import type { Elements } from './basics'
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
    await firstPageShown()
    return load().catch(() => ({ default: other }))
  })
}

/** Shows lazy parts; while their code is loaded the fallback, by default nothing, and the page is marked as busy. */
export function LazyParts({ fallback, children }: { fallback?: Elements; children: ReactNode }) {
  const place = (
    <>
      {fallback}
      <span hidden aria-busy="true" />
    </>
  )
  return <Suspense fallback={place}>{children}</Suspense>
}

/** Resolves when the first page of the visit is on the screen, with its pictures. */
export async function firstPageShown(): Promise<void> {
  if (firstPageIsShown) return
  await nextPaint()
  await new Promise((resolve) => setTimeout(resolve, PICTURES_MS))
  firstPageIsShown = true
}
