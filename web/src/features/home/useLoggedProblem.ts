import { useEffect } from 'react'

// useLoggedProblem writes an error to the console and nowhere else: the home page shows what it has.
export function useLoggedProblem(what: string, problem: unknown): void {
  useEffect(() => {
    if (problem) console.error(what, problem)
  }, [what, problem])
}
