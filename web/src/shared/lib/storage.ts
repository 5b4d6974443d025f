// Storage may be switched off, or full: then nothing is found in it and nothing is kept.

// readStored returns what is kept under a key, or null.
export function readStored(storage: () => Storage, key: string): string | null {
  try {
    return storage().getItem(key)
  } catch {
    return null
  }
}

// store keeps a value under a key, or removes it where it is null. It tells whether it could.
export function store(storage: () => Storage, key: string, value: string | null): boolean {
  try {
    if (value === null) storage().removeItem(key)
    else storage().setItem(key, value)
    return true
  } catch {
    return false
  }
}

// Getters, because blocked site data makes the mere access fail.
export const ofTab = () => sessionStorage
export const ofBrowser = () => localStorage
