import { useSyncExternalStore } from 'react'

export type ColourChoice = 'light' | 'dark' | 'system'

// public/colour-mode.js reads the same key before the first paint.
const KEY = 'capzone-colour-mode'
const DEFAULT: ColourChoice = 'dark'
const listeners = new Set<() => void>()

// useColourChoice tells what the visitor chose, and changes it for good.
export function useColourChoice(): [ColourChoice, (choice: ColourChoice) => void] {
  return [useSyncExternalStore(subscribe, readChoice), choose]
}

// useIsLight tells which mode the page is in now, whatever the reason.
export function useIsLight(): boolean {
  return useSyncExternalStore(subscribe, isLight)
}

// watchColourMode keeps the page in the chosen mode: when the system's changes, and when another tab chooses.
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
  try {
    localStorage.setItem(KEY, choice)
  } catch {
    // Without storage the choice cannot be kept.
  }
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

function readChoice(): ColourChoice {
  try {
    const kept = localStorage.getItem(KEY)
    if (kept === 'light' || kept === 'dark' || kept === 'system') return kept
  } catch {
    // The default holds.
  }
  return DEFAULT
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
