/** The state of a navigation to the login: the page that required it. */
export const returnTo = (path: string) => ({ returnTo: path })

/** Returns the page that required the login, or null. Only a path of this site counts. */
export function returnPathOf(state: unknown): string | null {
  if (typeof state !== 'object' || state === null || !('returnTo' in state)) return null
  const { returnTo } = state
  return typeof returnTo === 'string' && /^\/(?!\/)/.test(returnTo) ? returnTo : null
}
