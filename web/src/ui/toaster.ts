import type { CreateToasterReturn } from '@chakra-ui/react/toast'
import { useSyncExternalStore } from 'react'

/** A short message about what has just happened. With an id it is shown once at a time. */
export interface Toast {
  id?: string
  type: 'success' | 'error' | 'warning'
  title: string
  description?: string
  /** Screen readers do not announce it: the page says the same where the focus is. */
  silent?: boolean
  /** What a button in the message does, such as an undo. */
  action?: { label: string; onClick: () => void }
}

/** Adds for how many milliseconds a toast is shown. */
const timed = ({ silent, ...toast }: Toast) => ({
  ...toast,
  meta: { silent },
  duration: toast.action ? 10_000 : 6000,
})

// The code that shows toasts is loaded with the first of them; until then they are queued.
let mounted: CreateToasterReturn | null = null
let queue: Toast[] = []
const listeners = new Set<() => void>()

function setQueue(toasts: Toast[]): void {
  queue = toasts
  for (const listener of listeners) listener()
}

export const toaster = {
  create(toast: Toast): void {
    if (mounted) mounted.create(timed(toast))
    else setQueue([...queue, toast])
  },
  success: (toast: Omit<Toast, 'type'>) => toaster.create({ ...toast, type: 'success' }),
  error: (toast: Omit<Toast, 'type'>) => toaster.create({ ...toast, type: 'error' }),
  warning: (toast: Omit<Toast, 'type'>) => toaster.create({ ...toast, type: 'warning' }),
  /** Removes one toast. */
  dismiss(id: string): void {
    setQueue(queue.filter((toast) => toast.id !== id))
    mounted?.dismiss(id)
  },
  /** Removes every toast. */
  remove(): void {
    queue = []
    mounted?.remove()
  },
}

/** Reports whether toasts are queued. */
export const useToastsQueued = (): boolean => useSyncExternalStore(subscribe, () => queue.length > 0)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Shows toasts in Chakra's toaster, those in the queue first, until the returned function is called. */
export function connectToaster(chakraToaster: CreateToasterReturn): () => void {
  mounted = chakraToaster
  for (const toast of queue) chakraToaster.create(timed(toast))
  setQueue([])
  return () => {
    mounted = null
  }
}
