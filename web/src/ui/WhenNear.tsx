import { type ReactNode, useEffect, useRef, useState } from 'react'

/**
 * Shows a part below the first screen when the visitor scrolls near it, so that its code and data are fetched then. Its
 * height is reserved.
 */
export function WhenNear({ minH, children }: { minH: string; children: ReactNode }) {
  const [near, setNear] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) setNear(true)
      },
      { rootMargin: '200px' },
    )
    if (place.current) observer.observe(place.current)
    return () => observer.disconnect()
  }, [])
  return (
    <div ref={place} style={{ minHeight: minH }}>
      {near && children}
    </div>
  )
}
