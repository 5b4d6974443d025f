import { useState } from 'react'

/**
 * State that is `initial` again when `key` has changed, by default `initial` itself. It is set while rendering: an effect
 * could run after the first letters were typed into a field, and undo them.
 */
export function useResetState<T>(initial: T, key: unknown = initial) {
  const [state, setState] = useState(initial)
  const [seen, setSeen] = useState(key)
  if (key !== seen) {
    setSeen(key)
    setState(initial)
  }
  return [state, setState] as const
}
