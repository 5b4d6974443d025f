import { useEffectEvent, useLayoutEffect } from 'react'
import { readStorage, writeStorage } from './storage'

const TYPING = 'input, textarea, select, [contenteditable=true]'
const OVER_THE_PAGE = ':is([role=dialog], [role=alertdialog], [role=menu]):not([hidden])'
const STORAGE_KEY = 'capzone-single-keys'

/** Reports whether keys act without Ctrl or Alt in this browser. */
export const areSingleKeysOn = (): boolean => readStorage('local', STORAGE_KEY) !== 'off'

/** Switches keys without Ctrl or Alt on or off in this browser. */
export const switchSingleKeys = (on: boolean) => writeStorage('local', STORAGE_KEY, on ? null : 'off')

/**
 * Runs what a key is for, unless the visitor types a text, a dialog or menu is open, or single keys are switched off. An
 * action that returns false leaves the key to the browser.
 */
export function useKeys(actions: Readonly<Partial<Record<string, () => unknown>>>): void {
  const act = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || event.isComposing) return
    if (event.target instanceof Element && event.target.closest(TYPING)) return
    const action = actions[event.key]
    if (!action || document.querySelector(OVER_THE_PAGE) || !areSingleKeysOn()) return
    if (action() !== false) event.preventDefault()
  })
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => act(event)
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}
