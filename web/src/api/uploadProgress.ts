import { useSyncExternalStore } from 'react'

// The part of each endpoint's running upload that has been sent, from 0 to 1.
const progress = new Map<string, number>()
const listeners = new Set<() => void>()

export function setUploadProgress(endpoint: string, sent: number | null): void {
  if (sent === null) progress.delete(endpoint)
  else progress.set(endpoint, sent)
  for (const listener of listeners) listener()
}

/** Returns the part that has been sent, or null while nothing is being sent. */
export function useUploadProgress(endpoint: string): number | null {
  return useSyncExternalStore(subscribe, () => progress.get(endpoint) ?? null)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
