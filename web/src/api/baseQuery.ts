import { t } from '@lingui/core/macro'
import { type BaseQueryApi, type BaseQueryFn, createApi } from '@reduxjs/toolkit/query/react'
import { hasSession, selectAccessToken, type WithSession } from '@/session/session'
import { unanswered } from './connection'
import type { ApiError } from './error'
import { takePageData } from './pageData'
import { type RefreshOutcome, refreshSession, type SessionStore } from './refresh'
import { type ApiRequest, type ApiResult, request } from './request'

/** The endpoints whose body is multipart/form-data. */
export const MULTIPART_ENDPOINTS: readonly string[] = [
  'drawMap',
  'editMap',
  'submitMap',
  'submitRecord',
  'updatePlayer',
]

type Store = Pick<BaseQueryApi, 'dispatch'> & { getState: () => WithSession }

/** The pauses before a refresh is tried again that could not be asked for, as while auth is restarted. */
const REFRESH_PAUSES_MS = [1000, 2000]

/** Returns the answer where the session has not ended, but could not be refreshed. */
export const sessionUnavailable = (): ApiError => ({
  status: 503,
  code: 'session_unavailable',
  reason: '',
  message: t`Your session could not be renewed just now. Please try again shortly.`,
  errors: [],
  data: {},
})

/**
 * Answers a request from the document, or sends it with the access token. A 401 is retried once after a refresh that
 * all waiting requests share, or at once where another request has received a new token meanwhile.
 */
export const baseQuery: BaseQueryFn<ApiRequest, unknown, ApiError> = async (call, api) => {
  const inPage = takePageData(call)
  if (inPage) return { data: inPage }
  const store: Store = { dispatch: api.dispatch, getState: () => readState(api) }
  const tokenBefore = selectAccessToken(store.getState())
  const first = await send(call, api, tokenBefore)
  if (first.error?.status !== 401) return first

  const tokenNow = selectAccessToken(store.getState())
  if (tokenBefore !== null && tokenNow === null) return first // the session has ended meanwhile
  const outcome = tokenNow !== tokenBefore ? 'refreshed' : await refreshWithRetries(store, api.signal)
  if (outcome === 'unreachable') return { error: sessionUnavailable() }
  return outcome === 'refused' ? first : send(call, api, selectAccessToken(store.getState()))
}

/** Refreshes the session, again after pauses where the server could not be asked. */
export async function refreshWithRetries(store: SessionStore, signal?: AbortSignal): Promise<RefreshOutcome> {
  let outcome = await refreshSession(store)
  for (const pause of REFRESH_PAUSES_MS) {
    if (outcome !== 'unreachable' || signal?.aborted) break
    await new Promise((resolve) => setTimeout(resolve, pause))
    outcome = await refreshSession(store)
  }
  return outcome
}

/** The API of the site; generated.ts adds its endpoints, index.ts its tags and hooks. */
export const baseApi = createApi({ reducerPath: 'api', baseQuery, endpoints: () => ({}) })

function readState(api: BaseQueryApi): WithSession {
  const state = api.getState()
  if (!hasSession(state)) throw new Error('The store has no session.')
  return state
}

async function send(call: ApiRequest, api: BaseQueryApi, token: string | null): Promise<ApiResult> {
  const { endpoint, signal, dispatch } = api
  const result = await request(call, { token, signal, multipart: MULTIPART_ENDPOINTS.includes(endpoint) })
  if (result.error && isServerAway(result.error) && !signal.aborted) dispatch(unanswered())
  return result
}

// A proxy answers with a page or a word of its own, the gateway with JSON; the gateway's 503 is about one service.
function isServerAway(error: ApiError): boolean {
  if (error.status === 'unreachable' || error.status === 502 || error.status === 504) return true
  return error.status === 503 && error.code === '' && error.message === ''
}
