import type { ApiError, Refusal } from './error'

/** A call of the API, relative to its base path. */
export interface ApiRequest {
  url: string
  method?: string
  params?: Record<string, string | number | boolean | undefined>
  body?: unknown
}

/** The address of a call with its query. */
export type AddressedRequest = Pick<ApiRequest, 'url' | 'params'>

interface Options {
  token: string | null
  signal: AbortSignal
  /** Lets the request outlive the page. */
  keepalive?: boolean
  /** Sends the body as multipart/form-data instead of JSON. */
  multipart?: boolean
}

export type ApiResult = { data: object; error?: undefined } | { error: ApiError; data?: undefined }

/** Sends a request with the site's base path, cookies, headers and access token, and reads the answer. */
export async function request(call: ApiRequest, options: Options): Promise<ApiResult> {
  const { method = 'GET', body } = call
  const { token, multipart = false, keepalive = false } = options
  const headers: Record<string, string> = {
    Accept: 'application/json',
    ...(token && { Authorization: `Bearer ${token}` }),
    ...(body !== undefined && !multipart && { 'Content-Type': 'application/json' }),
  }
  try {
    const response = await fetch(addressOf(call), {
      method,
      headers,
      credentials: 'include',
      keepalive,
      signal: options.signal,
      ...(body !== undefined && { body: multipart ? formOf(body) : JSON.stringify(body) }),
    })
    if (response.ok && response.headers.get('Content-Type')?.startsWith('image/'))
      return { data: await response.blob() }
    return readAnswer(response.status, await response.text())
  } catch (error) {
    return { error: { status: 'unreachable', message: String(error) } }
  }
}

/** Returns the address of a call with its query. */
export function addressOf({ url, params = {} }: AddressedRequest): URL {
  const address = new URL(`/api/v1${url}`, location.origin)
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined) address.searchParams.set(name, String(value))
  }
  return address
}

/** Files stay files, objects become JSON text, and fields without a value are left out. */
function formOf(body: unknown): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(body ?? {})) {
    if (value instanceof Blob) form.append(name, value)
    else if (value !== undefined && value !== null) {
      form.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
    }
  }
  return form
}

/** Reads an answer that is JSON. */
export function readAnswer(status: number, text: string): ApiResult {
  if (status === 204) return { data: {} }
  const answer = parse(text)
  if (status >= 200 && status < 300) {
    return answer
      ? { data: answer }
      : { error: { status: 'unreachable', message: `The answer is no JSON: ${text.slice(0, 80)}` } }
  }
  const { code, reason, message, errors, data }: Partial<Refusal> = answer ?? {}
  return {
    error: {
      status,
      code: typeof code === 'string' ? code : '',
      reason: typeof reason === 'string' ? reason : '',
      message: typeof message === 'string' ? message.trim() : '',
      errors: Array.isArray(errors) ? errors : [],
      data: data ?? {},
    },
  }
}

function parse(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}
