import { type FocusEvent, useCallback, useRef } from 'react'

/**
 * Returns the properties of an element in which the focus stays when the part that has it is removed, such as a button
 * that removes itself. It goes to the entry beside that of a list, for a larger part such as a form to what had the focus
 * before, else to the nearest button, link or field in the element, or to the element itself. The page and every window
 * over it have it.
 */
export function useKeptFocus() {
  const focused = useRef<Element | null>(null)
  const before = useRef<HTMLElement[]>([])
  const ref = useCallback((box: HTMLElement | null) => {
    if (!box) return undefined
    const observer = new MutationObserver((changes) => {
      const lost = focused.current
      if (!lost || lost.isConnected || box.contains(document.activeElement)) return
      focused.current = null
      const earlier = before.current.findLast((element) => box.contains(element) && !element.matches(':disabled'))
      findNearest(box, lost, changes, earlier).focus({ preventScroll: true })
    })
    observer.observe(box, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [])
  return {
    ref,
    tabIndex: -1,
    onFocus: ({ target, currentTarget }: FocusEvent<HTMLElement>) => {
      // The focus in a window of its own arrives here, too.
      if (!currentTarget.contains(target)) return
      focused.current = target
      before.current = before.current.filter((element) => element !== target && element.isConnected)
      if (target !== currentTarget) before.current.push(target)
    },
    // React reports no blur of an element that is removed. A button may be disabled until it is.
    onBlur: ({ target }: FocusEvent) => {
      if (!target.matches(':disabled')) focused.current = null
    },
  }
}

function findNearest(box: HTMLElement, lost: Element, changes: MutationRecord[], earlier?: HTMLElement): HTMLElement {
  for (const { removedNodes, target, previousSibling, nextSibling } of changes) {
    const removed = [...removedNodes].find((node) => node.contains(lost))
    if (!removed) continue
    // Beside an entry of a list is another one.
    const isEntry = removed instanceof Element && removed.matches('li, tr')
    const beside = isEntry ? (findTarget(nextSibling) ?? findTarget(previousSibling)) : null
    const known = beside ?? (removed === lost ? undefined : earlier)
    if (known) return known
    for (let around: Node | null = target; around && box.contains(around); around = around.parentNode) {
      const found = findTarget(around)
      if (found) return found
    }
  }
  return box
}

// A button comes before others: it is often what replaces the removed one.
function findTarget(place: Node | null): HTMLElement | null {
  if (!(place instanceof Element)) return null
  return (
    place.querySelector<HTMLElement>('button:enabled') ?? place.querySelector<HTMLElement>('a[href], input:enabled')
  )
}

/** Moves the focus to the beginning of the page, as a browser does for a new document. */
export const focusPage = (): void => document.getElementById('main')?.focus({ preventScroll: true })
