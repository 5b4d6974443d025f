import { useDeferredValue } from 'react'
import type { Elements } from './basics'

/**
 * Draws the changes of a large part of a page as React's deferred value, so that a slow phone reacts to its visitor
 * meanwhile. Inputs whose values are outside of the part do not belong in it: they would follow their visitor too late.
 */
export function DeferredUpdate({ children }: { children: Elements }) {
  return useDeferredValue(children)
}
