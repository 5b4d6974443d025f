import { useLayoutEffect, useState } from 'react'
import { type DataRouter, RouterProvider } from 'react-router'

/**
 * Shows the pages of the router. RouterProvider subscribes to the router in its first effect. Where the router has changed
 * since the first rendering, it is mounted again, before the browser paints; otherwise `Loading...` would stay.
 */
export function SiteRouter({ router }: { router: DataRouter }) {
  const [rendered] = useState(router.state)
  const [isStale, setStale] = useState(false)
  // Effects of a child run first, so that the router has its subscriber here.
  // eslint-disable-next-line react-hooks/set-state-in-effect -- before, nobody is told
  useLayoutEffect(() => setStale(router.state !== rendered), [router, rendered])
  return <RouterProvider key={String(isStale)} router={router} />
}
