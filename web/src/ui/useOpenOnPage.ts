import { useRef } from 'react'
import { useLocation } from 'react-router'
import { useResetState } from './useResetState'

/**
 * Returns the properties of a popover or a drawer that a navigation closes. The page has the focus then; otherwise its
 * trigger has it.
 */
export function useOpenOnPage() {
  const { key } = useLocation()
  const [open, setOpen] = useResetState(false, key)
  const openedOn = useRef(key)
  return {
    open,
    onOpenChange: ({ open }: { open: boolean }) => {
      if (open) openedOn.current = key
      setOpen(open)
    },
    finalFocusEl: () => (openedOn.current === key ? null : document.getElementById('main')),
  }
}
