import { selectAccessToken } from '@/session/session'
import { refreshWithRetries, sessionUnavailable } from '../baseQuery'
import type { ApiError } from '../error'
import type { SessionStore } from '../refresh'
import { type AddressedRequest, addressOf, readAnswer } from '../request'

interface Options {
  /** Called with the number of bytes that have arrived. */
  onProgress?: (bytes: number) => void
  signal?: AbortSignal
}

type Downloaded = { file: Blob; error?: undefined } | { error: ApiError; file?: undefined }

/** Downloads a file of the API with the access token. A 401 is retried once after a refresh. */
export async function download(
  store: SessionStore,
  file: AddressedRequest,
  options: Options = {},
): Promise<Downloaded> {
  try {
    let response = await send(store, file, options.signal)
    if (response.status === 401) {
      const outcome = await refreshWithRetries(store, options.signal)
      if (outcome === 'unreachable') return { error: sessionUnavailable() }
      if (outcome === 'refreshed') response = await send(store, file, options.signal)
    }
    if (!response.ok || !response.body) {
      const { error } = readAnswer(response.status, await response.text())
      return { error: error ?? { status: 'unreachable', message: 'The answer is no file.' } }
    }
    return { file: await readFile(response.body, options.onProgress) }
  } catch (error) {
    return { error: { status: 'unreachable', message: String(error) } }
  }
}

function send(store: SessionStore, file: AddressedRequest, signal: AbortSignal | undefined): Promise<Response> {
  const headers = { Authorization: `Bearer ${selectAccessToken(store.getState())}` }
  return fetch(addressOf(file), { headers, credentials: 'include', signal })
}

async function readFile(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onProgress: Options['onProgress'],
): Promise<Blob> {
  const reader = body.getReader()
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    pieces.push(next.value)
    bytes += next.value.length
    onProgress?.(bytes)
  }
  return new Blob(pieces)
}
