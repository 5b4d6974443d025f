// addTags adds what was typed to a list of tags: trimmed and lower-cased, without empty ones and repetitions. A comma
// ends a tag, because lists of tags are joined by commas.
export function addTags(tags: readonly string[], typed: string): string[] {
  const added = typed
    .split(',')
    .map((tag) => tag.trim().toLowerCase())
    .filter((tag) => tag !== '')
  return [...new Set([...tags, ...added])]
}
