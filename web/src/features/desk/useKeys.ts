import { useLayoutEffect, useRef } from 'react'

const TYPING = 'input, textarea, select, [contenteditable=true]'
const OVER_THE_PAGE = ':is([role=dialog], [role=alertdialog], [role=menu]):not([hidden])'

/** Runs what a key is for, unless the visitor types a text or a dialog or menu is open. */
export function useKeys(actions: Readonly<Partial<Record<string, () => void>>>): void {
  const latest = useRef(actions)
  useLayoutEffect(() => {
    latest.current = actions
  })
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || event.isComposing) return
      if (event.target instanceof Element && event.target.closest(TYPING)) return
      if (document.querySelector(OVER_THE_PAGE)) return
      const act = latest.current[event.key]
      if (!act) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}
