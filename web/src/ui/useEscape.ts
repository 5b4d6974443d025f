import { useLayoutEffect, useRef } from 'react'

interface Api {
  open: boolean
  setOpen: (open: boolean) => void
}

/**
 * Closes a component on Escape from the moment it is shown. Ark listens one animation frame later, which takes long on a
 * busy page, and until then the key would be lost. A key that somebody else has handled is ignored.
 */
export function useEscape({ open, setOpen }: Api): void {
  const close = useRef(() => setOpen(false))
  useLayoutEffect(() => {
    close.current = () => setOpen(false)
  })
  useLayoutEffect(() => {
    if (!open) return
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented && !event.isComposing) close.current()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [open])
}
