import {
  type BaseQueryApi,
  type BaseQueryFn,
  type FetchArgs,
  type FetchBaseQueryError,
  fetchBaseQuery,
} from '@reduxjs/toolkit/query/react'
import { selectAccessToken, type WithSession } from '../session/sessionSlice'
import { unanswered } from './connection'
import { refreshSession } from './refresh'
import { sendForm } from './sendForm'
import { toForm } from './toForm'

const sendPlain = fetchBaseQuery({
  baseUrl: new URL('/api/v1', location.origin).href,
  credentials: 'include',
  // Looked up at each call, so that tests can stand in for it.
  fetchFn: (...args) => fetch(...args),
  prepareHeaders: (headers, { getState }) => {
    const token = selectAccessToken(getState() as WithSession)
    if (token) headers.set('Authorization', `Bearer ${token}`)
    headers.set('Accept', 'application/json')
    return headers
  },
})

const send: typeof sendPlain = async (args, api, extra) => {
  const answer =
    typeof args !== 'string' && args.body instanceof FormData
      ? await sendForm(args, api)
      : await sendPlain(args, api, extra)
  watch(api, answer.error)
  return answer
}

// baseQuery sends a request with the access token. A 401 is tried once more after a refresh that all waiting
// requests share, or at once where another request has brought a new token in the meantime.
export const baseQuery: BaseQueryFn<string | FetchArgs, unknown, FetchBaseQueryError> = async (
  args,
  api,
  extra,
) => {
  const request = typeof args === 'string' ? args : { ...args, body: toForm(args.body) }
  const tokenBefore = selectAccessToken(api.getState() as WithSession)
  const first = await send(request, api, extra)
  if (first.error?.status !== 401) return first

  const tokenNow = selectAccessToken(api.getState() as WithSession)
  const renewed = tokenNow !== null && tokenNow !== tokenBefore
  if (!renewed && (await refreshSession(api)) !== 'refreshed') return first
  return send(request, api, extra)
}

// watch notes a server that is away: no answer at all, or that of a proxy in front of it.
function watch(api: BaseQueryApi, error: FetchBaseQueryError | undefined): void {
  if (error && isAway(error) && !api.signal.aborted) api.dispatch(unanswered())
}

// A proxy answers with a page or a word of its own, the gateway with JSON; its 503 is about one service.
function isAway(error: FetchBaseQueryError): boolean {
  if (error.status === 'FETCH_ERROR') return true
  const status = error.status === 'PARSING_ERROR' ? error.originalStatus : error.status
  if (status === 502 || status === 504) return true
  return status === 503 && typeof error.data === 'string'
}
