// The last line is shorter than this.
const END_BYTES = 4096

/** Reports by its last line whether a file of what is stored of a player is complete. */
export async function endOf(file: Blob): Promise<'complete' | 'incomplete' | 'cut off'> {
  const end = new TextDecoder().decode(await file.slice(-END_BYTES).arrayBuffer())
  const line = end.trimEnd().split('\n').at(-1) ?? ''
  try {
    const { kind, complete } = JSON.parse(line)
    if (kind !== 'end') return 'cut off'
    return complete === true ? 'complete' : 'incomplete'
  } catch {
    return 'cut off'
  }
}
