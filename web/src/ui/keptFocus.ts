import { type FocusEvent, useCallback, useRef } from 'react'

/**
 * Returns the properties of an element in which the focus stays when the part that has it is removed, such as a button
 * that removes itself. It goes to the nearest button or link in the element, or to the element itself.
 */
export function useKeptFocus() {
  const focused = useRef<Element | null>(null)
  const ref = useCallback((box: HTMLElement | null) => {
    if (!box) return undefined
    const observer = new MutationObserver((changes) => {
      const lost = focused.current
      if (!lost || lost.isConnected || box.contains(document.activeElement)) return
      focused.current = null
      findNearest(box, lost, changes).focus({ preventScroll: true })
    })
    observer.observe(box, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [])
  return {
    ref,
    tabIndex: -1,
    onFocus: ({ target }: FocusEvent) => {
      focused.current = target
    },
    // React reports no blur of an element that is removed. A button may be disabled until it is.
    onBlur: ({ target }: FocusEvent) => {
      if (!target.matches(':disabled')) focused.current = null
    },
  }
}

function findNearest(box: HTMLElement, lost: Element, changes: MutationRecord[]): HTMLElement {
  for (const { removedNodes, target, previousSibling, nextSibling } of changes) {
    const removed = [...removedNodes].find((node) => node.contains(lost))
    if (!removed) continue
    // Beside an entry of a list is another one.
    const beside = removed instanceof HTMLLIElement ? (findTarget(nextSibling) ?? findTarget(previousSibling)) : null
    if (beside) return beside
    for (let around: Node | null = target; around && box.contains(around); around = around.parentNode) {
      const found = findTarget(around)
      if (found) return found
    }
  }
  return box
}

// A button comes before a link: it is often what replaces the removed one.
function findTarget(place: Node | null): HTMLElement | null {
  if (!(place instanceof Element)) return null
  return place.querySelector<HTMLElement>('button:enabled') ?? place.querySelector<HTMLElement>('a[href]')
}
