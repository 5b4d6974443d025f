import { useEffect } from 'react'
import { type Problem, problemText } from '@/shared/api/problem'
import { toaster } from '@/shared/components/toaster'

// useProblemToast shows an error once, in the server's words where it sent any.
export function useProblemToast(
  problem: Problem,
  { failed, broken }: { failed: string; broken: string },
): void {
  useEffect(() => {
    if (!problem) return
    const title = problemText(problem, { failed, broken })
    // After the page has drawn: a toaster that is not mounted yet would miss it. One text is shown once at a time.
    const timer = setTimeout(() => {
      if (!toaster.isVisible(title)) toaster.error({ id: title, title })
    })
    return () => clearTimeout(timer)
  }, [problem, failed, broken])
}
