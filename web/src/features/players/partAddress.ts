import { pageOf } from '@/ui/lists'

/** Returns the page of a part of the profile, which the address has under a name of its own. */
export const pageIn = (address: URLSearchParams, name: string): number =>
  pageOf(new URLSearchParams({ page: address.get(name) ?? '' }))

/** Returns the address with another page of a part of the profile. The other parts keep theirs. */
export function withPage(address: URLSearchParams, name: string, page: number): URLSearchParams {
  const changed = new URLSearchParams(address)
  if (page > 1) changed.set(name, String(page))
  else changed.delete(name)
  return changed
}
