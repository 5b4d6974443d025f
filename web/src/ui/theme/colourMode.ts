import { useSyncExternalStore } from 'react'
import { readStorage, writeStorage } from '../storage'

type ColourChoice = 'light' | 'dark' | 'system'

// public/colour-mode.js reads the same key before the first paint.
const KEY = 'capzone-colour-mode'
const DEFAULT: ColourChoice = 'dark'
// Where the storage is blocked, a choice lasts as long as the page.
let choice = readChoice()
const listeners = new Set<() => void>()

/** Returns the visitor's choice and changes it permanently. */
export function useColourChoice(): [ColourChoice, (choice: ColourChoice) => void] {
  return [useSyncExternalStore(subscribe, () => choice), choose]
}

/** Reports whether the page is in light mode now. */
export function useIsLight(): boolean {
  return useSyncExternalStore(subscribe, isLight)
}

/** Applies the chosen mode when the system's mode changes and when another tab chooses. */
export function watchColourMode(): () => void {
  const system = matchMedia('(prefers-color-scheme: light)')
  const onSystem = () => apply(choice)
  const onStorage = (event: StorageEvent) => {
    if (event.key === KEY) apply(readChoice())
  }
  system.addEventListener('change', onSystem)
  addEventListener('storage', onStorage)
  apply(readChoice())
  return () => {
    system.removeEventListener('change', onSystem)
    removeEventListener('storage', onStorage)
  }
}

function choose(chosen: ColourChoice): void {
  writeStorage('local', KEY, chosen)
  apply(chosen)
}

function apply(chosen: ColourChoice): void {
  choice = chosen
  const light = isLight()
  const root = document.documentElement
  root.classList.toggle('light', light)
  root.classList.toggle('dark', !light)
  root.style.colorScheme = light ? 'light' : 'dark'
  for (const listener of listeners) listener()
}

const isLight = (): boolean =>
  choice === 'light' || (choice === 'system' && matchMedia('(prefers-color-scheme: light)').matches)

/** Returns the choice of this name, or the default. */
export function colourChoice(name: string | null): ColourChoice {
  return name === 'light' || name === 'dark' || name === 'system' ? name : DEFAULT
}

function readChoice(): ColourChoice {
  return colourChoice(readStorage('local', KEY))
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
