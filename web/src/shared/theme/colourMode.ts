import { useSyncExternalStore } from 'react'
import { ofBrowser, readStored, store } from '../lib/storage'

export type ColourChoice = 'light' | 'dark' | 'system'

// public/colour-mode.js reads the same key before the first paint.
const KEY = 'capzone-colour-mode'
const DEFAULT: ColourChoice = 'dark'
// The choice of this page where there is no storage to keep it.
let unkept: ColourChoice | null = null
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
  unkept = store(ofBrowser, KEY, choice) ? null : choice
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
  if (unkept) return unkept
  const kept = readStored(ofBrowser, KEY)
  return kept === 'light' || kept === 'dark' || kept === 'system' ? kept : DEFAULT
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
