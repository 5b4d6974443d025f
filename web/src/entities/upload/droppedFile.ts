let dropped: File | null = null

/** Keeps a file that was dropped on a page until a form takes it. */
export function keepDroppedFile(file: File): void {
  dropped = file
}

/** Returns the file that was dropped last, once. */
export function takeDroppedFile(): File | null {
  const file = dropped
  dropped = null
  return file
}
