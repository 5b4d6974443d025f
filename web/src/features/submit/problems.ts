import type { FieldError } from '@/shared/api'
import { type Problem, problemCode, problemData, problemMessage } from '@/shared/api/problem'

// SubmitProblem is why a form was not taken, and where to go on from there, such as to what exists already.
export interface SubmitProblem {
  messages: string[]
  // The form's own rules found it, before anything was sent.
  ownRules?: true
  wayOn?: { to: string; label: string }
}

// fromServer words a refusal: the server's sentence first, then those of single fields, which the title would repeat.
export function fromServer(problem: Problem, fallback: string): SubmitProblem {
  const fields = fieldMessages(problem)
  const message = problemMessage(problem, fallback)
  const messages =
    problemCode(problem) === 'metadata_refused' && fields.length > 0 ? fields : [message, ...fields]
  return { messages: [...new Set(messages)] }
}

// existingId returns the _id of what exists already, where the refusal has this code.
export function existingId(problem: Problem, code: string): string | null {
  const { _id } = problemData(problem)
  return problemCode(problem) === code && typeof _id === 'string' ? _id : null
}

function fieldMessages(problem: Problem): string[] {
  const { errors } = (problem as { data?: { errors?: FieldError[] } }).data ?? {}
  return Array.isArray(errors) ? errors.map(({ message }) => message) : []
}
