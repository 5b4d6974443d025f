import { t } from '@lingui/core/macro'
import { type ComponentType, lazy, useState, useTransition } from 'react'
import { movedOn } from './movedOn'
import { toaster } from './toaster'

/** The properties of a button whose component is not loaded yet. */
export interface OpenButtonProps {
  'aria-expanded': false
  loading: boolean
  onClick: () => void
  onFocus: () => void
  onPointerEnter: () => void
}

/**
 * Loads a component that opens behind a button, such as a menu: its code is fetched when the pointer or the focus comes
 * to the button, and a click opens it once it is loaded, unless the visitor has moved on. A toast reports that it could not be loaded.
 */
export function onDemand<Props>(load: () => Promise<{ default: ComponentType<Props> }>) {
  // A failed prefetch is not reported; the click tries again.
  const prefetch = () => void load().catch(() => undefined)

  function useOpened() {
    const [opened, setOpened] = useState(false)
    const [loading, start] = useTransition()
    const open = async () => {
      const elsewhere = movedOn()
      try {
        // A lazy component never retries: it is rendered after its code is loaded.
        await load()
        if (!elsewhere.aborted) start(() => setOpened(true))
      } catch (error) {
        console.error(error)
        toaster.error({ id: 'load error', title: t`This could not be loaded. Please try again.` })
      }
    }
    const buttonProps: OpenButtonProps = {
      'aria-expanded': false,
      loading,
      onClick: () => start(open),
      onFocus: prefetch,
      onPointerEnter: prefetch,
    }
    return { opened, close: () => setOpened(false), buttonProps }
  }
  return { Component: lazy(load), useOpened }
}
