import type { SerializedError } from '@reduxjs/toolkit'

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
  refused: string
  unreachable: string
}

/** Returns the refusal, or undefined for any other error. */
export function refusalOf(error: QueryError): Refusal | undefined {
  return error && 'status' in error && error.status !== 'unreachable' ? error : undefined
}

/** Returns the server's sentence, or the fallback where it sent none. */
export function errorText(error: QueryError, fallback: string | ErrorMessages): string {
  const refusal = refusalOf(error)
  if (refusal?.message) return refusal.message
  if (typeof fallback === 'string') return fallback
  return refusal ? fallback.refused : fallback.unreachable
}

/** Returns the server's code, such as 'map_exists'. */
export const errorCode = (error: QueryError): string | undefined => refusalOf(error)?.code

export const isNotFound = (error: QueryError): boolean => refusalOf(error)?.status === 404
