import { type FieldError, type FieldErrors, type FieldValues, get } from 'react-hook-form'
import { fieldSentence, type Refusal, refusalSentence } from '@/api/error'

/** Returns the messages of all errors, in their order and each once. */
export const messagesOf = (errors: FieldErrors): string[] => [...new Set(Object.values(errors).flatMap(messagesIn))]

function messagesIn(error: unknown): string[] {
  if (typeof error !== 'object' || error === null) return []
  if (isFieldError(error))
    return Object.values(error.types ?? { only: error.message ?? '' })
      .flat()
      .map(String)
  return Object.values(error).flatMap(messagesIn)
}

const isFieldError = (error: object): error is FieldError => 'type' in error && 'message' in error

/** The messages of a refusal by field; 'root' has those that are about the form as a whole. */
type RefusedFields = Map<string, string[]>

/**
 * Returns a server's refusal by field. Where it names no field, its code may: 'replay_not_yours' is about the replay.
 * A field that the form does not have counts as the form.
 */
export function refusedFields(
  refusal: Refusal,
  values: FieldValues,
  { fallback, fieldOf }: { fallback: string; fieldOf?: ((code: string) => string | undefined) | undefined },
): RefusedFields {
  const named =
    refusal.errors.length > 0
      ? refusal.errors.map((error) => ({ field: error.field, message: fieldSentence(refusal, error) }))
      : [{ field: fieldOf?.(refusal.code) ?? 'root', message: refusalSentence(refusal) || fallback }]
  const fields: RefusedFields = new Map()
  for (const { field, message } of named) {
    const name = get(values, field) === undefined ? 'root' : field
    fields.set(name, [...(fields.get(name) ?? []), message])
  }
  return fields
}
