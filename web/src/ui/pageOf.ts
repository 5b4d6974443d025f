/** Returns the page in a query; anything but a whole number above 1 is the first. */
export function pageOf(query: URLSearchParams): number {
  const page = Number(query.get('page'))
  return Number.isSafeInteger(page) && page > 1 ? page : 1
}
