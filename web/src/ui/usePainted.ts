import { useEffect, useState } from 'react'

/** Reports whether the component has been painted once. What can wait is fetched then. */
export function usePainted(): boolean {
  const [painted, setPainted] = useState(false)
  useEffect(() => {
    // The second frame begins when the first one is painted.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => setPainted(true))
    })
    return () => cancelAnimationFrame(frame)
  }, [])
  return painted
}
