import type { BaseQueryApi, FetchArgs, FetchBaseQueryError } from '@reduxjs/toolkit/query/react'
import { selectAccessToken, type WithSession } from '../session/sessionSlice'
import { setUploadProgress } from './uploadProgress'

type Answer = { data: unknown; error?: undefined } | { data?: undefined; error: FetchBaseQueryError }

// sendForm sends a form with files. Unlike fetch, it can tell how much has been sent.
export function sendForm(args: FetchArgs, api: BaseQueryApi): Promise<Answer> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    request.open(args.method ?? 'POST', new URL(`/api/v1${args.url}`, location.origin))
    request.withCredentials = true
    request.setRequestHeader('Accept', 'application/json')
    const token = selectAccessToken(api.getState() as WithSession)
    if (token) request.setRequestHeader('Authorization', `Bearer ${token}`)
    request.upload.onprogress = ({ lengthComputable, loaded, total }) => {
      if (lengthComputable && total > 0) setUploadProgress(api.endpoint, loaded / total)
    }
    request.onload = () => resolve(read(request))
    request.onerror = () =>
      resolve({ error: { status: 'FETCH_ERROR', error: 'The server cannot be reached.' } })
    request.onabort = () => resolve({ error: { status: 'FETCH_ERROR', error: 'Aborted.' } })
    request.onloadend = () => setUploadProgress(api.endpoint, null)
    api.signal.addEventListener('abort', () => request.abort())
    setUploadProgress(api.endpoint, 0)
    request.send(args.body as FormData)
  })
}

function read({ status, responseText }: XMLHttpRequest): Answer {
  try {
    const data: unknown = JSON.parse(responseText)
    return status >= 200 && status < 300 ? { data } : { error: { status, data } }
  } catch (error) {
    if (status >= 400) return { error: { status, data: responseText } }
    return {
      error: { status: 'PARSING_ERROR', originalStatus: status, data: responseText, error: String(error) },
    }
  }
}
