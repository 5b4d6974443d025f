import { useLayoutEffect, useState } from 'react'
import { type DataRouter, RouterProvider } from 'react-router'

/**
 * Shows the pages of the router. RouterProvider misses what the router does between its first rendering and its first
 * effect, and would show `Loading...` permanently. It is mounted again then, which happens before the browser paints.
 */
export function SiteRouter({ router }: { router: DataRouter }) {
  const [rendered] = useState(router.state)
  const [missed, setMissed] = useState(false)
  // Effects of a child run first, so that the router has its subscriber here.
  // eslint-disable-next-line react-hooks/set-state-in-effect -- before, nobody is told
  useLayoutEffect(() => setMissed(router.state !== rendered), [router, rendered])
  return <RouterProvider key={String(missed)} router={router} />
}
