import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'

// From this width on the navigation is a bar, as in its style sheet.
const WIDE = '(width >= 48rem)'

// useSiteMenu opens and closes the menu of narrow screens. It closes with the page that it was opened on, with Escape, and
// where the screen becomes wide. The button that opens it gets the focus back.
export function useSiteMenu() {
  const { key } = useLocation()
  const [openOn, setOpenOn] = useState<string | null>(null)
  const button = useRef<HTMLButtonElement>(null)
  const open = openOn === key

  useEffect(() => {
    if (!open) return
    const close = () => setOpenOn(null)
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      close()
      button.current?.focus()
    }
    const wide = matchMedia(WIDE)
    addEventListener('keydown', onKey)
    wide.addEventListener('change', close)
    return () => {
      removeEventListener('keydown', onKey)
      wide.removeEventListener('change', close)
    }
  }, [open])

  return { open, button, toggle: () => setOpenOn(open ? null : key) }
}
