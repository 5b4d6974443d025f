/** 'local' outlives the browser session, 'session' the reload of a tab. */
export type StorageKind = 'local' | 'session'

// The access itself throws where site data is blocked.
const storageOf = (kind: StorageKind): Storage => (kind === 'local' ? localStorage : sessionStorage)

/** Returns the value under a key, or null where there is none or the storage is blocked. */
export function readStorage(kind: StorageKind, key: string): string | null {
  try {
    return storageOf(kind).getItem(key)
  } catch {
    return null
  }
}

/** Stores a value under a key, or removes it for null; a blocked storage is ignored. */
export function writeStorage(kind: StorageKind, key: string, value: string | null): void {
  try {
    if (value === null) storageOf(kind).removeItem(key)
    else storageOf(kind).setItem(key, value)
  } catch {
    // The page works without.
  }
}
