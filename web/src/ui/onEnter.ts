import type { KeyboardEvent } from 'react'

/** Acts on Enter instead of submitting the form, but not while text is being composed. */
export function onEnter(event: KeyboardEvent, act: () => void): void {
  if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
  event.preventDefault()
  act()
}
