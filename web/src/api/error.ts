import { i18n, type MessageDescriptor } from '@lingui/core'
import { t } from '@lingui/core/macro'
import type { SerializedError } from '@reduxjs/toolkit'
import { isEnglish, serverText } from '@/locales'

/** An answer of the server that refuses the request. */
export interface Refusal {
  status: number
  /** Stable, such as 'map_exists'; empty where a proxy answered. */
  code: string
  /** Names the sentence where the code has several, else empty. */
  reason: string
  /** The server's sentence for the player; empty where it sent none. */
  message: string
  errors: { field: string; code: string; message: string }[]
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

/** What is said where the server sent no sentence. */
export type Fallback = string | ErrorMessages

/** Returns the server's sentence, or the fallback where it sent none. */
export function errorText(error: QueryError, fallback: Fallback = t`This could not be loaded.`): string {
  const refusal = refusalOf(error)
  const sentence = refusal && refusalSentence(refusal)
  if (sentence) return sentence
  if (typeof fallback === 'string') return fallback
  return i18n._(refusal ? fallback.refused : fallback.unreachable)
}

/** Returns the server's sentence, in the active locale where its catalogue has the code; '' where it sent none. */
export const refusalSentence = ({ code, reason, message, data }: Sentence): string =>
  serverText([`server.${reason}`, `server.${code}`], message, data)

type Sentence = Pick<Refusal, 'code' | 'message'> & Partial<Pick<Refusal, 'reason' | 'data'>>

/** Returns what the server says of a field. In another locale than its own, a sentence without a translation is the refusal's. */
export const fieldSentence = (refusal: Refusal, { code, message }: Refusal['errors'][number]): string =>
  serverText(
    [`field.${code}`, `server.${code}`],
    isEnglish() ? message : refusalSentence(refusal) || message,
    refusal.data,
  )

/** Returns the server's code, such as 'map_exists'. */
export const errorCode = (error: QueryError): string | undefined => refusalOf(error)?.code

export const isNotFound = (error: QueryError): boolean => refusalOf(error)?.status === 404
