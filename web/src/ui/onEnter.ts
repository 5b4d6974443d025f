import type { KeyboardEvent } from 'react'

/** Returns a key handler that acts on Enter instead of submitting the form, but not while text is being composed. */
export function onEnter(act: () => void) {
  return (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    event.preventDefault()
    act()
  }
}
