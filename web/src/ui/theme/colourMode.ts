import { useSyncExternalStore } from 'react'
import { readStorage, writeStorage } from '../storage'

type ColourChoice = 'light' | 'dark' | 'system'

// public/colour-mode.js reads the same key before the first paint.
const KEY = 'capzone-colour-mode'
const DEFAULT: ColourChoice = 'dark'
// The choice of this page where the storage is blocked.
let fallback: ColourChoice | null = null
const listeners = new Set<() => void>()

/** Returns the visitor's choice and changes it permanently. */
export function useColourChoice(): [ColourChoice, (choice: ColourChoice) => void] {
  return [useSyncExternalStore(subscribe, readChoice), choose]
}

/** Reports whether the page is in light mode now. */
export function useIsLight(): boolean {
  return useSyncExternalStore(subscribe, isLight)
}

/** Applies the chosen mode when the system's mode changes and when another tab chooses. */
export function watchColourMode(): () => void {
  const system = matchMedia('(prefers-color-scheme: light)')
  const onStorage = (event: StorageEvent) => {
    if (event.key === KEY) changed()
  }
  system.addEventListener('change', changed)
  addEventListener('storage', onStorage)
  apply()
  return () => {
    system.removeEventListener('change', changed)
    removeEventListener('storage', onStorage)
  }
}

function choose(choice: ColourChoice): void {
  fallback = writeStorage('local', KEY, choice) ? null : choice
  changed()
}

function changed(): void {
  apply()
  for (const listener of listeners) listener()
}

function apply(): void {
  const light = isLight()
  const root = document.documentElement
  root.classList.toggle('light', light)
  root.classList.toggle('dark', !light)
  root.style.colorScheme = light ? 'light' : 'dark'
}

function isLight(): boolean {
  const choice = readChoice()
  return choice === 'light' || (choice === 'system' && matchMedia('(prefers-color-scheme: light)').matches)
}

/** Returns the choice of this name, or the default. */
export function colourChoice(name: string | null): ColourChoice {
  return name === 'light' || name === 'dark' || name === 'system' ? name : DEFAULT
}

function readChoice(): ColourChoice {
  if (fallback) return fallback
  return colourChoice(readStorage('local', KEY))
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
