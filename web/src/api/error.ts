import { i18n, type MessageDescriptor } from '@lingui/core'
import { t } from '@lingui/core/macro'
import type { SerializedError } from '@reduxjs/toolkit'
import { serverText } from '@/locales'

/** An answer of the server that refuses the request. */
export interface Refusal {
  status: number
  /** Stable, such as 'map_exists'; empty where a proxy answered. */
  code: string
  /** The server's sentence for the player; empty where it sent none. */
  message: string
  errors: { field: string; message: string }[]
  /** What the server adds for going on, such as the _id of an existing record. */
  data: Record<string, unknown>
}

/** A request without a readable answer. */
export interface Unreachable {
  status: 'unreachable'
  message: string
}

/** What every request of the API fails with. */
export type ApiError = Refusal | Unreachable

/** What a hook of RTK Query reports: a SerializedError is an exception outside the request itself. */
export type QueryError = ApiError | SerializedError | undefined

/** The two fallback texts of a failed request. */
export interface ErrorMessages {
  refused: MessageDescriptor
  unreachable: MessageDescriptor
}

/** Returns the refusal, or undefined for any other error. */
export function refusalOf(error: QueryError): Refusal | undefined {
  return error && 'status' in error && error.status !== 'unreachable' ? error : undefined
}

/** Returns the server's sentence, or the fallback where it sent none. */
export function errorText(error: QueryError, fallback: string | ErrorMessages = t`This could not be loaded.`): string {
  const refusal = refusalOf(error)
  const sentence = refusal && refusalSentence(refusal)
  if (sentence) return sentence
  if (typeof fallback === 'string') return fallback
  return i18n._(refusal ? fallback.refused : fallback.unreachable)
}

/** Returns the server's sentence, in the active locale where its catalogue has the code; '' where it sent none. */
export const refusalSentence = ({ code, message }: Pick<Refusal, 'code' | 'message'>): string =>
  serverText(`server.${code}`, message)

/** Returns the server's code, such as 'map_exists'. */
export const errorCode = (error: QueryError): string | undefined => refusalOf(error)?.code

export const isNotFound = (error: QueryError): boolean => refusalOf(error)?.status === 404
