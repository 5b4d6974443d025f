import { useEffectEvent, useLayoutEffect } from 'react'

interface Api {
  open: boolean
  setOpen: (open: boolean) => void
}

/**
 * Closes a component on Escape from the moment it is shown. Ark listens one animation frame later, which takes long on a
 * busy page, and until then the key would be lost. A key that somebody else has handled is ignored.
 */
export function useEscape({ open, setOpen }: Api, enabled = true): void {
  const close = useEffectEvent(() => setOpen(false))
  const listens = open && enabled
  useLayoutEffect(() => {
    if (!listens) return
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented && !event.isComposing) close()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [listens])
}
