import { useEffect, useRef, useState } from 'react'
import { type To, useNavigate } from 'react-router'
import { toaster } from '@/shared/components/toaster'
import type { User } from '@/shared/session/sessionSlice'
import { useSession } from '@/shared/session/useSession'
import type { SubmitProblem } from './problems'
import { useSubmitter } from './useSubmitter'

// Outcome is what came of sending a form: where to go on from there, or why it was not taken.
export type Outcome = { done: string; to: To; state?: object } | { problem: SubmitProblem }

interface Submission {
  // What keeps the form from being sent, by its own rules.
  check: (user: User | null) => string[]
  // Sends the form of this submitter. Whoever filled it in may have logged in again since.
  send: (submitter: User | null) => Promise<Outcome>
  // What to say of a form that was not taken to who has left its page.
  failed: string
}

// useSubmission sends a form once at a time, after its own rules let it pass. Who leaves the page meanwhile is told how it
// went, and stays where they are.
export function useSubmission({ check, send, failed }: Submission) {
  const user = useSession()
  const submitter = useSubmitter()
  const navigate = useNavigate()
  const running = useRef(false)
  const isHere = useIsHere()
  const [sending, setSending] = useState(false)
  const [problem, setProblem] = useState<SubmitProblem | null>(null)

  const finish = (outcome: Outcome) => {
    if ('done' in outcome) {
      toaster.success({ title: outcome.done })
      if (isHere()) navigate(outcome.to, { state: outcome.state })
      return
    }
    setProblem(outcome.problem)
    if (isHere()) return
    const reasons = outcome.problem.messages.filter((message) => message !== failed)
    toaster.error({ title: failed, description: reasons.join('\n') })
  }

  const submit = async () => {
    // State would be too late for the second of two quick clicks.
    if (running.current) return
    running.current = true
    setSending(true)
    setProblem(null)
    try {
      const sender = await submitter()
      const messages = check(sender)
      if (messages.length > 0) {
        toaster.create({ type: 'warning', title: 'Validation Error', description: messages.join('\n') })
        setProblem({ messages, ownRules: true })
        return
      }
      finish(await send(sender))
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

// useIsHere returns a function that tells whether the page is still the one that is shown.
function useIsHere(): () => boolean {
  const here = useRef(false)
  useEffect(() => {
    here.current = true
    return () => {
      here.current = false
    }
  }, [])
  return () => here.current
}
