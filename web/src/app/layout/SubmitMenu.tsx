import { Trans } from '@lingui/react/macro'
import { type FocusEvent, type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { Box, Stack, styled } from '@/ui'
import { ChevronDownIcon } from '@/ui/icons'
import { moveFocus } from './moveFocus'
import { itemStyle, SubmitItems } from './NavigationItems'

const CLOSE_AFTER_MS = 300

/**
 * A disclosure of links, as navigation has it, and not Chakra's Menu, which takes the focus when it opens. It opens under
 * a mouse and closes 300 ms after it has left; a click, Enter and the arrow key open it too, and Escape closes it.
 */
export function SubmitMenu() {
  const [open, setOpen] = useState(false)
  const closing = useRef<ReturnType<typeof setTimeout>>(undefined)
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  const hovered = useRef(false)
  const { key } = useLocation()

  // A navigation closes the menu, but not under a mouse that came while the page was loading.
  const closedOn = useRef(key)
  useEffect(() => {
    if (key === closedOn.current) return
    closedOn.current = key
    setOpen((was) => was && hovered.current)
  }, [key])
  useEffect(() => () => clearTimeout(closing.current), [])

  // Escape closes it wherever the focus is, because a mouse may have opened it.
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
      // It stays open under a visible focus. A mouse click leaves an invisible one.
      if (!menu.current?.querySelector(':focus-visible')) setOpen(false)
    }, CLOSE_AFTER_MS)
  }
  const blur = (event: FocusEvent) => {
    if (!hovered.current && !event.currentTarget.contains(event.relatedTarget)) setOpen(false)
  }
  const keyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && (event.key !== 'ArrowUp' || !open)) return
    event.preventDefault()
    setOpen(true)
    moveFocus(event.currentTarget, event.key === 'ArrowDown' ? 1 : -1)
  }

  return (
    <Box
      ref={menu}
      position="relative"
      me="-3"
      onPointerEnter={enter}
      onPointerLeave={leave}
      onBlur={blur}
      onKeyDown={keyDown}
    >
      <button
        ref={button}
        type="button"
        className={itemStyle}
        aria-expanded={open}
        aria-controls="submit-menu"
        // Under a mouse it is open already, and the click that follows must not close it.
        onClick={() => setOpen((was) => hovered.current || !was)}
      >
        <Trans>Submit</Trans>
        <styled.span transition="transform 0.15s" css={{ '[aria-expanded=true] &': { transform: 'rotate(180deg)' } }}>
          <ChevronDownIcon size={4} />
        </styled.span>
      </button>
      <Box
        position="absolute"
        zIndex="dropdown"
        top="full"
        insetEnd="0"
        pt="1"
        style={{ visibility: open ? 'visible' : 'hidden' }}
      >
        <Stack
          id="submit-menu"
          gap="0"
          minW="12rem"
          p="1.5"
          borderWidth="1px"
          rounded="l2"
          bg="bg.panel"
          shadow="lg"
          onClick={() => setOpen(false)}
        >
          <SubmitItems />
        </Stack>
      </Box>
    </Box>
  )
}
