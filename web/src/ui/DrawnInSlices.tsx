import { useDeferredValue } from 'react'
import type { Elements } from './basics'

/**
 * Draws a large part of a page in slices when it changes, so that a slow phone reacts to its visitor meanwhile. Inputs whose
 * values are outside of the part do not belong in it: they would follow their visitor too late.
 */
export function DrawnInSlices({ children }: { children: Elements }) {
  return useDeferredValue(children)
}
