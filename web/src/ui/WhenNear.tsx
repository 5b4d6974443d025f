import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Skeleton } from './basics'
import { LazyParts } from './lazyPart'
import { usePainted } from './usePainted'

/**
 * Shows a part below the first screen when the visitor scrolls near it, so that its code and data are fetched then, and
 * not before the first screen is painted. Its height is reserved, and filled by a skeleton while the code is loaded.
 */
export function WhenNear({ minH, children }: { minH: string; children: ReactNode }) {
  const [near, setNear] = useState(false)
  const painted = usePainted()
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!painted) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) setNear(true)
      },
      { rootMargin: '200px' },
    )
    if (place.current) observer.observe(place.current)
    return () => observer.disconnect()
  }, [painted])
  return (
    <div ref={place} data-near={near} style={{ minHeight: minH }}>
      <LazyParts fallback={<Skeleton style={{ height: minH }} rounded="l3" aria-hidden="true" />}>
        {near && children}
      </LazyParts>
    </div>
  )
}
