import { useEffect, useState } from 'react'

/** Reports whether the component has been painted once. What can wait is fetched then. */
export function usePainted(): boolean {
  const [painted, setPainted] = useState(false)
  useEffect(() => onNextPaint(() => setPainted(true)), [])
  return painted
}

/** Resolves when the document as it is now has been painted. */
export const nextPaint = () => new Promise<void>((resolve) => void onNextPaint(resolve))

/** Calls back when the document as it is now has been painted. Returns a function that cancels the call. */
function onNextPaint(callback: () => void): () => void {
  // The second frame begins when the first one is painted.
  let frame = requestAnimationFrame(() => {
    frame = requestAnimationFrame(callback)
  })
  return () => cancelAnimationFrame(frame)
}
