import type { Refusal } from '@/api/error'
import { MEDALS, type Medal } from '@/entities/record/medals'

/** The fields of the forms, by the names that the server gives them. */
export type FormField = 'replayFile' | 'mapImage' | 'description' | 'tags' | `medalTimes.${Medal}`

/** Why a form was not accepted; without a field it is about the form as a whole. */
export interface FormError {
  field?: FormField
  message: string
}

const isField = (name: string): name is FormField =>
  ['replayFile', 'mapImage', 'description', 'tags', ...MEDALS.map((medal) => `medalTimes.${medal}`)].includes(name)

/** Returns a server's refusal by field. A code that names no field is about the file that it begins with. */
export function errorsOf(refusal: Refusal | undefined, fallback: string): FormError[] {
  if (!refusal) return [{ message: fallback }]
  const message = refusal.message || fallback
  if (refusal.errors.length > 0) {
    return refusal.errors.map(({ field, message }) => (isField(field) ? { field, message } : { message }))
  }
  const { code } = refusal
  if (/^(replay|map|finish|wrong_map)/.test(code)) return [{ field: 'replayFile', message }]
  if (code.startsWith('image')) return [{ field: 'mapImage', message }]
  return [{ message }]
}

/** Returns the first message of a field, or null. */
export const errorOf = (errors: readonly FormError[], field: FormField): string | null =>
  errors.find((error) => error.field === field)?.message ?? null
