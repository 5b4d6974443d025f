import type { Failure } from './generated'

// Problem is what a request can fail with, as RTK Query hands it on.
export type Problem = unknown

// problemMessage returns the server's sentence, or the fallback where it sent none.
export function problemMessage(problem: Problem, fallback: string): string {
  const message = failureOf(problem)?.message
  return typeof message === 'string' && message.trim() !== '' ? message : fallback
}

// problemText returns the server's sentence, else one fallback for a request that failed and another for one that got no
// proper answer at all.
export function problemText(problem: Problem, fallback: { failed: string; broken: string }): string {
  return problemMessage(
    problem,
    typeof problemStatus(problem) === 'number' ? fallback.failed : fallback.broken,
  )
}

// problemCode returns the server's code, such as 'map_exists'.
export function problemCode(problem: Problem): string | undefined {
  return failureOf(problem)?.code
}

// problemData returns what the server adds for going on, such as the _id of what exists already.
export function problemData(problem: Problem): Record<string, unknown> {
  return failureOf(problem)?.data ?? {}
}

// problemStatus returns the HTTP status, 'FETCH_ERROR' where there was no answer, or undefined for anything else.
export function problemStatus(problem: Problem): number | string | undefined {
  return typeof problem === 'object' && problem !== null && 'status' in problem
    ? (problem.status as number | string)
    : undefined
}

export const isNotFound = (problem: Problem) => problemStatus(problem) === 404

function failureOf(problem: Problem): Partial<Failure> | undefined {
  if (typeof problem !== 'object' || problem === null || !('data' in problem)) return undefined
  const { data } = problem
  return typeof data === 'object' && data !== null ? (data as Partial<Failure>) : undefined
}
