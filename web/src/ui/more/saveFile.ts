// A browser may read the file after the click: Safari begins the download later.
const RELEASE_AFTER_MS = 60_000

/** Has the browser save a file under a name. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), RELEASE_AFTER_MS)
}
