import { type ApiRequest, addressOf } from './request'

const documentAddress = location.href

// The answers that were not taken yet, with the element in which they stood.
let answers: { element: Element; byKey: Record<string, object> } | undefined

/**
 * Returns an answer that the server wrote into the document, once, so that the first page needs no request. Later pages
 * request current data.
 */
export function takePageData(call: ApiRequest): object | undefined {
  const element = document.getElementById('page-data')
  if (!element || (call.method ?? 'GET') !== 'GET' || location.href !== documentAddress) return undefined
  if (answers?.element !== element) answers = { element, byKey: parse(element.textContent) }
  const key = keyOf(call)
  const answer = answers.byKey[key]
  delete answers.byKey[key]
  return answer
}

/** Returns the id of the event that the server wrote into the document, or '': the page lacks none of those up to it. */
export const pagePosition = () => document.getElementById('page-data')?.dataset.position ?? ''

/** Drops the answers that were not taken; a page that is opened again must not show them. */
export function forgetPageData(): void {
  document.getElementById('page-data')?.remove()
  answers = undefined
}

/** Returns the path below /api/v1 with the query, whose parameters are sorted by name. */
function keyOf(call: ApiRequest): string {
  const { searchParams } = addressOf(call)
  searchParams.sort()
  return searchParams.size > 0 ? `${call.url}?${searchParams}` : call.url
}

function parse(text: string): Record<string, object> {
  try {
    return JSON.parse(text)
  } catch (error) {
    console.error('The data of the page cannot be read.', error)
    return {}
  }
}
