import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  useEffect,
  useRef,
  useState,
} from 'react'
import { useLocation } from 'react-router'
import { ChevronDownIcon } from '@/shared/components/icons'
import { cx } from '@/shared/lib/cx'
import { SubmitItems } from './items'
import items from './items.module.css'
import styles from './SubmitMenu.module.css'

const CLOSE_AFTER_MS = 300

// SubmitMenu opens under a mouse and closes 300 ms after it has left; a click, a touch, Enter and the arrow key open it
// too, and Escape closes it.
export function SubmitMenu() {
  const [open, setOpen] = useState(false)
  const closing = useRef<ReturnType<typeof setTimeout>>(undefined)
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const hovered = useRef(false)
  const { key } = useLocation()

  // Another page closes the menu, but not under a mouse that came while that page was loading.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page is what it is about
  useEffect(() => setOpen((was) => was && hovered.current), [key])
  useEffect(() => () => clearTimeout(closing.current), [])

  // Escape closes it wherever the focus is: a mouse may have opened it.
  useEffect(() => {
    if (!open) return
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Escape') return
      setOpen(false)
      if (menu.current?.contains(document.activeElement)) button.current?.focus()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [open])

  const enter = (event: PointerEvent) => {
    if (event.pointerType === 'touch') return
    clearTimeout(closing.current)
    hovered.current = true
    setOpen(true)
  }
  const leave = (event: PointerEvent) => {
    if (event.pointerType === 'touch') return
    hovered.current = false
    closing.current = setTimeout(() => {
      // Under the keyboard's focus it stays. A mouse that clicked on it has left a focus that nobody sees.
      if (!menu.current?.querySelector(':focus-visible')) setOpen(false)
    }, CLOSE_AFTER_MS)
  }
  const blur = (event: FocusEvent) => {
    if (!hovered.current && !event.currentTarget.contains(event.relatedTarget)) setOpen(false)
  }
  const follow = (event: MouseEvent) => {
    if ((event.target as Element).closest('a')) setOpen(false)
  }
  const keyDown = (event: KeyboardEvent) => {
    const links = [...(list.current?.querySelectorAll<HTMLElement>('a') ?? [])]
    const at = links.indexOf(document.activeElement as HTMLElement)
    if (event.key === 'ArrowDown') {
      setOpen(true)
      links[Math.min(at + 1, links.length - 1)]?.focus()
    } else if (event.key === 'ArrowUp' && open) {
      if (at > 0) links[at - 1]?.focus()
      else button.current?.focus()
    } else return
    event.preventDefault()
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it follows the mouse and the keys of what stands in it
    <div
      ref={menu}
      className={styles.menu}
      onPointerEnter={enter}
      onPointerLeave={leave}
      onBlur={blur}
      onKeyDown={keyDown}
    >
      <button
        ref={button}
        type="button"
        className={items.item}
        aria-expanded={open}
        aria-controls="submit-menu"
        // Under a mouse it is open already, and the click that follows must not close it.
        onClick={() => setOpen((was) => hovered.current || !was)}
      >
        Submit
        <ChevronDownIcon size={4} className={cx(styles.arrow, open && styles.turned)} />
      </button>
      <div className={styles.place} style={{ visibility: open ? 'visible' : 'hidden' }}>
        {/* biome-ignore lint/a11y: a click on one of its links bubbles up to it, by mouse or by key */}
        <div ref={list} id="submit-menu" className={styles.list} onClick={follow}>
          <SubmitItems />
        </div>
      </div>
    </div>
  )
}
