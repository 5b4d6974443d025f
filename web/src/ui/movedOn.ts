/** Returns a signal that is aborted when the visitor does something else: presses a button or a key. */
export function movedOn(): AbortSignal {
  const controller = new AbortController()
  const { signal } = controller
  const onInput = (event: Event) => {
    if (!(event instanceof KeyboardEvent && event.repeat)) controller.abort()
  }
  for (const type of ['pointerdown', 'keydown']) addEventListener(type, onInput, { capture: true, signal })
  return signal
}
