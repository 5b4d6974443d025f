import type { CreateToasterReturn } from '@chakra-ui/react'
import { useSyncExternalStore } from 'react'

// Toast is a word to the visitor about what has just happened. With an id it can be asked for.
export interface Toast {
  id?: string
  type: 'success' | 'error' | 'warning'
  title: string
  description?: string
}

// What shows toasts comes with the first of them; those that were made before it is there wait here.
let shown: CreateToasterReturn | null = null
let waiting: Toast[] = []
const listeners = new Set<() => void>()

export const toaster = {
  create(toast: Toast): void {
    if (shown) {
      shown.create(toast)
      return
    }
    waiting = [...waiting, toast]
    for (const listener of listeners) listener()
  },
  success: (toast: Omit<Toast, 'type'>) => toaster.create({ ...toast, type: 'success' }),
  error: (toast: Omit<Toast, 'type'>) => toaster.create({ ...toast, type: 'error' }),
  // Takes away every toast.
  remove(): void {
    waiting = []
    shown?.remove()
  },
  isVisible: (id: string): boolean =>
    waiting.some((toast) => toast.id === id) || (shown?.isVisible(id) ?? false),
}

// useToastsWaiting tells whether there is a toast and nothing yet that shows it.
export function useToastsWaiting(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => waiting.length > 0,
  )
}

// showToastsIn is told what shows toasts from now on, until the returned function is called, and gives it those that wait.
export function showToastsIn(outlet: CreateToasterReturn): () => void {
  shown = outlet
  for (const toast of waiting) outlet.create(toast)
  waiting = []
  for (const listener of listeners) listener()
  return () => {
    shown = null
  }
}
