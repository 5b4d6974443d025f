/** The server's limits of a map's tags. */
export const MAX_TAGS = 10
export const MAX_TAG_LENGTH = 24

/**
 * Adds what was typed to a list of tags: trimmed, in lower case, without empty ones and duplicates. A comma ends a tag,
 * because lists of tags are joined by commas.
 */
export function addTags(tags: readonly string[], typed: string): string[] {
  const added = typed
    .split(',')
    .map((tag) => tag.trim().toLowerCase())
    .filter((tag) => tag !== '')
  return [...new Set([...tags, ...added])]
}
