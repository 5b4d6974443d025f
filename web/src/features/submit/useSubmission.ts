import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { type QueryError, refusalOf } from '@/api/error'
import { refreshSession } from '@/api/refresh'
import { selectSession, type User } from '@/session/session'
import { useAppStore, useSession } from '@/store/hooks'
import { toaster } from '@/ui/toaster'
import { errorsOf, type FormError } from './rules'

/** Where a player can go on from a refusal, such as to the record that exists already. */
export interface NextStep {
  to: string
  label: string
  /** A sentence before the link. */
  explanation?: string
}

/** The result of sending a form: the next page, or the error with the next step. */
export type Outcome =
  | { message: string; description?: string; to: string; state?: object }
  | { error: QueryError; nextStep?: NextStep | null }

interface Submission {
  /** Returns what keeps the form from being sent. */
  check: (user: User | null) => FormError[]
  /** Sends the form as this player, who may have logged in again since the form was filled in. */
  send: (user: User) => Promise<Outcome>
  /** The text of a refusal without one. */
  fallback: string
}

interface Refused {
  id: number
  errors: FormError[]
  /** The form's own rules found the errors, so that they end as soon as they are corrected. */
  byRules: boolean
  nextStep: NextStep | null
}

const NOT_REFUSED: Refused = { id: 0, errors: [], byRules: false, nextStep: null }

/**
 * Sends a form, once at a time, after its own rules accept it. A player who leaves the page meanwhile gets the result as
 * a toast and stays where they are.
 */
export function useSubmission({ check, send, fallback }: Submission) {
  const user = useSession()
  const store = useAppStore()
  const navigate = useNavigate()
  const running = useRef(false)
  const isMounted = useIsMounted()
  const [sending, setSending] = useState(false)
  const [refused, setRefused] = useState(NOT_REFUSED)

  const refuse = (errors: FormError[], byRules: boolean, nextStep: NextStep | null = null) =>
    setRefused(({ id }) => ({ id: id + 1, errors, byRules, nextStep }))

  const finish = (outcome: Outcome) => {
    if ('message' in outcome) {
      const { message: title, description } = outcome
      toaster.success(description ? { title, description } : { title })
      if (isMounted()) navigate(outcome.to, { state: outcome.state })
      return
    }
    const errors = errorsOf(refusalOf(outcome.error), fallback)
    refuse(errors, false, outcome.nextStep)
    if (isMounted()) return
    const reasons = errors.map(({ message }) => message).filter((message) => message !== fallback)
    toaster.error({ title: fallback, description: reasons.join('\n') })
  }

  const submit = async () => {
    // State would be too late for the second of two quick clicks.
    if (running.current) return
    running.current = true
    setSending(true)
    setRefused((before) => ({ ...NOT_REFUSED, id: before.id }))
    try {
      // A session that ended here, but not in another tab, is restored first.
      if (!selectSession(store.getState())) await refreshSession(store)
      const sender = selectSession(store.getState())
      const errors = check(sender)
      if (errors.length > 0 || !sender) {
        const description = errors.map(({ message }) => message).join('\n')
        toaster.warning({ title: 'Validation Error', description })
        refuse(errors, true)
        return
      }
      finish(await send(sender))
    } finally {
      running.current = false
      setSending(false)
    }
  }

  // A corrected error disappears. What the server refused stays until the form is sent again.
  const stillWrong = refused.byRules ? check(user).map(({ message }) => message) : []
  const errors = refused.byRules ? refused.errors.filter(({ message }) => stillWrong.includes(message)) : refused.errors
  return { submit, sending, errors, refusalId: refused.id, nextStep: refused.nextStep }
}

/** Returns a function that reports whether the page is still shown. */
function useIsMounted(): () => boolean {
  const mounted = useRef(false)
  useEffect(() => {
    mounted.current = true
    return () => {
      mounted.current = false
    }
  }, [])
  return () => mounted.current
}
