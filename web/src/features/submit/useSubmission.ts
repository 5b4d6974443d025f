import { useRef, useState } from 'react'
import { toaster } from '@/shared/components/toaster'
import type { User } from '@/shared/session/sessionSlice'
import { useSession } from '@/shared/session/useSession'
import type { SubmitProblem } from './problems'
import { useSubmitter } from './useSubmitter'

interface Submission {
  // What keeps the form from being sent, by its own rules.
  check: (user: User | null) => string[]
  // Sends the form of this submitter and goes on, or returns why it was not taken. Whoever filled it in may have logged in
  // again since.
  send: (submitter: User | null) => Promise<SubmitProblem | null>
}

// useSubmission sends a form once at a time, after its own rules let it pass.
export function useSubmission({ check, send }: Submission) {
  const user = useSession()
  const submitter = useSubmitter()
  const running = useRef(false)
  const [sending, setSending] = useState(false)
  const [problem, setProblem] = useState<SubmitProblem | null>(null)

  const submit = async () => {
    // State would be too late for the second of two quick clicks.
    if (running.current) return
    running.current = true
    setSending(true)
    setProblem(null)
    try {
      const user = await submitter()
      const messages = check(user)
      if (messages.length > 0) {
        toaster.create({ type: 'warning', title: 'Validation Error', description: messages.join('\n') })
        setProblem({ messages, ownRules: true })
        return
      }
      setProblem(await send(user))
    } finally {
      running.current = false
      setSending(false)
    }
  }

  // What has been put right since then is no fault any more. What the server said stays until the form is sent again.
  const faults = problem?.ownRules
    ? problem.messages.filter((message) => check(user).includes(message))
    : (problem?.messages ?? [])
  return { submit, sending, problem, faults }
}
